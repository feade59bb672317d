import { describe, expect, it } from "vitest";
import { sha256 } from "../../core/digest.ts";
import type { Document } from "./lexical-index.ts";
import { Library } from "./library.ts";
import { createPart } from "./part.ts";
import { buildSegment } from "./segment.ts";
import { correctedIn, wordsOf } from "./words.ts";

const declared = { kind: "tool", triggers: [], aliases: [], paths: [] } as const;

function document(name: string, description: string): Document {
  return { digest: sha256(Buffer.from(name)), name, description, body: "", declared };
}

const library = new Library([
  createPart(
    buildSegment([
      document("brand-palette", "Builds a palette of colours for a brand."),
      document("subtitle-timing", "Shifts subtitles that are out of step."),
      document("podcast-notes", "Writes summaries of podcasts with timestamps."),
    ]),
  ),
]);

function corrected(text: string): Record<string, string> {
  const words = wordsOf(text);
  const found = correctedIn(words, library);
  return Object.fromEntries(
    words.flatMap((word) => {
      const meant = found.get(word.token);
      return meant === undefined ? [] : [[word.written, meant.token]];
    }),
  );
}

describe("RT-2: words that were mistyped", () => {
  it.each([
    ["one letter too few", "palete", "palett"],
    ["one too many", "palettee", "palett"],
    ["another one", "palekte", "palett"],
    ["two swapped", "paeltte", "palett"],
    ["at the end", "subtitels", "subtitl"],
  ])("%s", (_, typed, meant) => {
    expect(corrected(typed)).toEqual({ [typed]: meant });
  });

  it("what is known, short, not of plain letters, or far from everything stays as it is", () => {
    expect(corrected("palette brand ot stp pálette paXette9 zzzzzzzz xalette")).toEqual({});
  });

  it("a long text is looked through for nothing: what is in it was pasted", () => {
    expect(corrected(`${"zzzzz ".repeat(80)} pallete`)).toEqual({});
  });

  it("what was meant is found under the word as it was written", () => {
    const [word] = wordsOf("Subtitels");
    expect(correctedIn(word === undefined ? [] : [word], library).get(word?.token ?? "")).toMatchObject({
      token: "subtitl",
      written: "Subtitels",
    });
  });
});
