import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasUnseen } from "../../core/text.ts";
import { shellWord } from "./call.ts";

function readByShell(word: string): string {
  const { stdout } = spawnSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } });
  return stdout;
}

test.each([
  ["house:brand-voice", "house:brand-voice"],
  ["house:my skill", "'house:my skill'"],
  ["house:$(touch /tmp/x)", "'house:$(touch /tmp/x)'"],
  ["house:it's", String.raw`'house:it'\''s'`],
  ["house:a\u202eb\u001b[31m", String.raw`$'house:a\U0000202eb\U0000001b[31m'`],
])("SK-13: %j is one word to a shell", (word, written) => {
  expect(shellWord(word)).toBe(written);
  expect(readByShell(written)).toBe(word);
});

test("SK-13: whatever a folder is named, a shell reads exactly that, and nothing unseen is shown", () => {
  const hostile = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "\\", "$", "`", "\n", "\u202e", "é", ";", "!", "-"),
  });
  fc.assert(
    fc.property(hostile, (text) => {
      const written = shellWord(`house:${text}`);
      expect(hasUnseen(written)).toBe(false);
      expect(readByShell(written)).toBe(`house:${text}`);
    }),
    { numRuns: 50 },
  );
});
