import { createBundle } from "../../src/skill/bundle.ts";
import { diffBundles, type FileDiff } from "../../src/diff/diff.ts";

/** A SKILL.md that stays as it is. */
export const steadySkill = Buffer.from("---\nname: t\ndescription: Formats dates.\n---\n# T\n");

/** The diff of one file beside a SKILL.md that stays. */
export function diffOfFile(before: string | Uint8Array, after: string | Uint8Array): FileDiff | undefined {
  const bundle = (bytes: string | Uint8Array) =>
    createBundle("t", [
      ["SKILL.md", steadySkill],
      ["x.md", Buffer.from(bytes)],
    ]);
  return diffBundles(bundle(before), bundle(after)).files[0];
}

/** The lines of a diff as a renderer without styles has them. */
export function diffLines(file: FileDiff | undefined): string[] {
  const signs = { same: " ", added: "+", removed: "-" };
  return (file?.hunks ?? []).flatMap(({ lines }) =>
    lines.map(({ kind, pieces }) => signs[kind] + pieces.map(({ text }) => text).join("")),
  );
}

export function numberedLines(from: number, to: number, text = "line"): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `${text} ${from + at}\n`).join("");
}
