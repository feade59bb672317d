import { describe, expect, test } from "vitest";
import { encodeFileSet, setDigest, sha256 } from "./digest.ts";

const digestOf = (text: string) => sha256(Buffer.from(text));

describe("SK-12: digests", () => {
  test("a file's digest is sha256 in lowercase hex", () => {
    expect(digestOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("a set is encoded as length-prefixed path and hash, sorted by the bytes of the paths", () => {
    const files = [
      { path: "b", digest: "22".repeat(32) },
      { path: "A", digest: "11".repeat(32) },
    ];
    const expected = `0000000141${"11".repeat(32)}0000000162${"22".repeat(32)}`;
    expect(Buffer.from(encodeFileSet(files)).toString("hex")).toBe(expected);
    expect(setDigest(files)).toBe(sha256(Buffer.from(expected, "hex")));
    expect(setDigest(files.toReversed())).toBe(setDigest(files));
  });

  test("byte order is that of UTF-8, not of UTF-16", () => {
    const astral = { path: "\u{1F600}", digest: "11".repeat(32) };
    const high = { path: "\uFF5E", digest: "22".repeat(32) };
    expect(Buffer.from(encodeFileSet([astral, high])).subarray(4, 7)).toEqual(Buffer.from("\uFF5E"));
  });

  test("moving a byte between two paths changes the digest", () => {
    const digest = digestOf("x");
    const one = setDigest([
      { path: "ab", digest },
      { path: "c", digest },
    ]);
    const other = setDigest([
      { path: "a", digest },
      { path: "bc", digest },
    ]);
    expect(one).not.toBe(other);
  });
});
