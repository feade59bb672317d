import { boundedDeclared } from "./declared.ts";
import type { Document } from "./lexical-index.ts";
import { descriptionParts, outlineOf } from "./outline.ts";

/** What a document is made of, as words are counted; the place of each is its bit in a posting. At most eight. */
export const fields = [
  "name",
  "description",
  "declared",
  "headings",
  "occasions",
  "prose",
  "code",
  "exceptions",
] as const;

export type Field = (typeof fields)[number];

/** What a skill says of itself, in the order of `fields`. */
export const surfaceFields: ReadonlySet<Field> = new Set(["name", "description", "declared", "occasions"]);

/** Up to how often a word counts. What a skill says of itself, it says once: saying it ten times is baiting (T32). */
export const mostTimes: readonly number[] = fields.map((field) => (surfaceFields.has(field) ? 2 : 255));

export const fieldCount = fields.length;

/** Of a body only so many characters count: what a skill is for stands at its beginning. */
const longestBody = 8_192;
const longestName = 256;
const longestDescription = 8_192;

/** A document's text by field, each within its bound. */
export function fieldTexts({ name, description, body, declared }: Document): Readonly<Record<Field, string>> {
  const { triggers, aliases } = boundedDeclared(declared);
  const { said, exceptions } = descriptionParts(description.slice(0, longestDescription));
  const outline = outlineOf(body.slice(0, longestBody));
  return {
    ...outline,
    name: name.slice(0, longestName),
    description: said,
    declared: [...triggers, ...aliases].join("\n"),
    exceptions: `${exceptions}\n${outline.exceptions}`,
  };
}
