import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasUnseen } from "../../core/text.ts";
import { shellWord } from "./call.ts";

function readByShell(...words: readonly string[]): string[] {
  const script = String.raw`printf '%s\0' ${words.join(" ")}`;
  const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } });
  return stdout.split("\0").slice(0, -1);
}

test.each([
  ["house:brand-voice", "house:brand-voice"],
  ["house:my skill", "'house:my skill'"],
  ["house:$(touch /tmp/x)", "'house:$(touch /tmp/x)'"],
  ["house:it's", String.raw`'house:it'\''s'`],
  ["house:a\u202eb\u001b[31m", String.raw`$'house:a\U0000202eb\U0000001b[31m'`],
])("SK-13: %j is one word to a shell", (word, written) => {
  expect(shellWord(word)).toBe(written);
  expect(readByShell(written)).toEqual([word]);
});

test("SK-13: whatever a folder is named, a shell reads exactly that, and nothing unseen is shown", () => {
  const hostile = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "\\", "$", "`", "\n", "\u202e", "é", ";", "!", "-"),
  });
  fc.assert(
    // One shell reads ten names: most of the time is its start.
    fc.property(fc.array(hostile, { minLength: 10, maxLength: 10 }), (texts) => {
      const folders = texts.map((text) => `house:${text}`);
      const written = folders.map(shellWord);
      expect(written.filter(hasUnseen)).toEqual([]);
      expect(readByShell(...written)).toEqual(folders);
    }),
    { numRuns: 5 },
  );
});
