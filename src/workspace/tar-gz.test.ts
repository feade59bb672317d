import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTarGz } from "../../test/publishing/read-tar-gz.ts";
import { sha256 } from "../core/digest.ts";
import { createTarGz, fitsTar } from "./artifact.ts";

const path = fc
  .array(fc.stringMatching(/^[a-zé]{1,60}$/), { minLength: 1, maxLength: 4 })
  .map((each) => each.join("/"));
const files = fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 2000 }) }), {
  selector: (file) => file.path,
  maxLength: 5,
});

describe("SV-6: archives", () => {
  test("hold exactly their files, in order, as plain files of nobody from the beginning of time", () => {
    fc.assert(
      fc.property(files, (all) => {
        const fitting = all.filter((file) => fitsTar(file.path));
        const found = readTarGz(createTarGz(fitting));
        const plain = { type: "0", mode: 0o644, owner: 0, time: 0 };
        expect(found).toEqual(
          fitting.map((file) => Object.assign({ bytes: Buffer.from(file.bytes) }, { path: file.path }, plain)),
        );
      }),
    );
  });

  test("SV-7: are these very bytes, on every machine and with every version of Node", () => {
    const text = "a line of a skill that a compressor would make shorter\n".repeat(2000);
    const archive = createTarGz([
      { path: "SKILL.md", bytes: Buffer.from(text) },
      { path: `references/${"deep/".repeat(20)}note.md`, bytes: Buffer.from("a note") },
      { path: "empty", bytes: new Uint8Array() },
    ]);
    expect(sha256(archive)).toBe("ba4b6c86b554db6d512b55c4a5e23d1b7098a619ae7c22b9467c6ccdf5b145ad");
  });

  test("are what `tar` itself reads", () => {
    const long = `references/${"a-rather-long-name/".repeat(5)}note.md`;
    const archive = createTarGz([
      { path: "SKILL.md", bytes: Buffer.from("one") },
      { path: long, bytes: Buffer.alloc(70_000, "x") },
    ]);
    const asked = (...args: string[]) => execFileSync("tar", args, { input: archive }).toString();
    expect(asked("-tzf", "-").trim().split("\n")).toEqual(["SKILL.md", long]);
    expect(asked("-xzOf", "-", long)).toBe("x".repeat(70_000));
  });

  test.each([
    ["a".repeat(100), true],
    ["a".repeat(101), false],
    [`${"d".repeat(155)}/${"a".repeat(100)}`, true],
    [`${"d".repeat(156)}/${"a".repeat(100)}`, false],
    [`d/${"a".repeat(101)}`, false],
    ["é".repeat(50), true],
    ["é".repeat(51), false],
    [`${"d/".repeat(100)}a`, true],
    [`${"d/".repeat(130)}a`, false],
  ])("know which paths they can hold", (long, fits) => {
    expect(fitsTar(long)).toBe(fits);
    const make = () => createTarGz([{ path: long, bytes: new Uint8Array() }]);
    if (fits) expect(readTarGz(make()).map((each) => each.path)).toEqual([long]);
    else expect(make).toThrow("no archive holds this path");
  });
});
