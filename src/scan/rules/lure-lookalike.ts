import { areAlike, skeletonOf } from "../alike.ts";
import { headerField } from "../outline.ts";
import { knownNames, ordinaryWords } from "../words/addresses.ts";
import type { Hit, Matcher, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

function lookalikes(text: ScanText): readonly Hit[] {
  const field = headerField(text, "name");
  if (field === undefined || field.value.length > longestName) return [];
  const { start, end, value } = field;
  const parts = value.toLowerCase().match(/[\p{L}\p{N}]{5,40}/gu) ?? [];
  for (const part of parts) {
    const brand = taken(part);
    if (brand !== undefined) return [{ start, end, says: `"${part}" for "${brand}"` }];
  }
  return [];
}

const longestName = 200;

/** The name that a part of a name can be taken for. */
function taken(part: string): string | undefined {
  if (knownNames.includes(part) || ordinaryWords.includes(part)) return undefined;
  return knownNames.find(
    (name) => !isForm(part, name) && (areAlike(part, name) || isSwapped(part, name) || isDressed(part, name)),
  );
}

/** Two letters beside one another changed places. */
function isSwapped(part: string, name: string): boolean {
  if (part.length !== name.length) return false;
  const at = Array.from(name).findIndex((letter, place) => letter !== part[place]);
  return at !== -1 && part === name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
}

/** Digits, pairs and foreign letters that look like the letters of the name. */
function isDressed(part: string, name: string): boolean {
  return /[^a-z]|rn|vv/.test(part) && skeletonOf(part) === skeletonOf(name);
}

/** A plural, or the other way round. */
function isForm(part: string, name: string): boolean {
  return part === `${name}s` || part === `${name}r` || part === `${name}d` || name === `${part}s`;
}

const match: Matcher = { patterns: [], find: lookalikes };

export const lookalikeName: Rule = {
  id: "lure.lookalike",
  level: "high",
  title: "has a name that can be taken for another one",
  why: "One changed letter in a well-known name is how people are made to install the wrong thing. Look up who made it, and whether the name is a slip.",
  mentioned: "same",
  match,
  hostile: [
    "---\nname: gihtub-review\ndescription: Reviews.\n---\n",
    "---\nname: anthroplc-docs\ndescription: Documents.\n---\n",
    "---\nname: metamsk-wallet\ndescription: Wallet.\n---\n",
    "---\nname: g00gle-drive\ndescription: Files.\n---\n",
  ],
  benign: [
    "---\nname: github-review\ndescription: Reviews.\n---\n",
    "---\nname: motion-design\ndescription: Design.\n---\n",
    "---\nname: stripes-and-dots\ndescription: Patterns.\n---\n",
  ],
};
