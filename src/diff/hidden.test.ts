import { describe, expect, test } from "vitest";
import { hiddenTexts } from "../../test/web/hidden-texts.ts";
import { createBundle } from "../skill/bundle.ts";
import { type BundleDiff, diffBundles } from "./diff.ts";

const clean =
  "---\nname: dates\ndescription: Formats dates in tables.\n---\n# Dates\n\nFormat each date as ISO 8601.\n";

function bundle(text: string): ReturnType<typeof createBundle> {
  return createBundle("dates", [["SKILL.md", Buffer.from(text)]]);
}

/** The added lines as a renderer without styles has them. */
function addedText({ files }: BundleDiff): string {
  return files
    .flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))
    .filter(({ kind }) => kind === "added")
    .map(({ pieces }) => pieces.map(({ text }) => text).join(""))
    .join("\n");
}

describe("T28: a diff that hides the change", () => {
  test.each(hiddenTexts)("T28: %s in an update can be read", (_, text, shows) => {
    const added = addedText(diffBundles(bundle(clean), bundle(`${clean}${text}\n`)));
    expect(added).toContain(shows);
    expect(added).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Co}]|[^\n\P{Cc}]/u);
  });

  test.each(hiddenTexts)("T28: %s in a new skill can be read", (_, text, shows) => {
    expect(addedText(diffBundles(null, bundle(`${clean}${text}\n`)))).toContain(shows);
  });

  test("T28: an unseen character in a line that stays is all that is marked", () => {
    const { files } = diffBundles(bundle(clean), bundle(clean.replace("each date", "each\u200b date")));
    const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
    const changed = lines.flatMap(({ kind, pieces }) =>
      pieces.filter(({ mark }) => mark === "changed").map(({ text }) => [kind, text]),
    );
    expect(changed).toEqual([["added", "\\u{200b}"]]);
    expect(lines.filter(({ kind }) => kind !== "same").map(({ kind, before, after }) => [kind, before, after])).toEqual(
      [
        ["removed", 7, null],
        ["added", null, 7],
      ],
    );
  });

  test("T28: the same when a line is put in before it", () => {
    const text = clean.replace("Format each date", "Read the notes.\nFormat each\u00a0date");
    const { files } = diffBundles(bundle(clean), bundle(text));
    const pieces = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.flatMap((line) => line.pieces)));
    expect(pieces.filter(({ mark }) => mark === "changed").map(({ text: shown }) => shown)).toEqual(["·", "\\u{a0}"]);
  });

  test("T28: the same among lines that begin alike", () => {
    const twice = clean.replace("Format each date as ISO 8601.", "Format each date of A.\nFormat each date of B.");
    const text = twice
      .replace("Format each date of A.", "Format each time of C.\nFormat each date of\u200b A.")
      .replace("of B", "of D");
    const { files } = diffBundles(bundle(twice), bundle(text));
    const pieces = files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.flatMap((line) => line.pieces)));
    expect(pieces.filter(({ mark }) => mark === "changed").map(({ text: shown }) => shown)).toEqual([
      "B",
      "\\u{200b}",
      "D",
    ]);
  });
});
