import fc from "fast-check";
import { expect, test } from "vitest";
import { badByte, readText } from "./read-text.ts";

/** Back to the bytes. */
function bytesOf(text: string): Uint8Array {
  return Buffer.concat(
    Array.from(text, (char) => {
      const bad = badByte(char);
      return bad === undefined ? Buffer.from(char) : Uint8Array.of(bad);
    }),
  );
}

const mostlyText = fc
  .array(
    fc.oneof(
      { weight: 30, arbitrary: fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)) },
      fc.uint8Array({ maxLength: 2 }),
    ),
  )
  .map((parts) => Buffer.concat(parts));

test("T28: law: text says all of the bytes, so that different bytes never read alike", () => {
  fc.assert(
    fc.property(fc.oneof(mostlyText, fc.uint8Array()), (bytes) => {
      const read = readText(bytes);
      expect(read === undefined || Buffer.compare(bytesOf(read.text), bytes) === 0).toBe(true);
    }),
  );
});

test("T28: surrogates and overlong forms written in UTF-8 are bytes like any others", () => {
  const plain = Buffer.from("x".repeat(100));
  for (const bad of [
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x80],
  ])
    expect(readText(Buffer.concat([plain, Uint8Array.from(bad), plain]))?.bad).toBe(bad.length);
});
