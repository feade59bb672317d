import { createHmac } from "node:crypto";
import { canonicalJson, type Plain } from "../../base/canonical.ts";

/**
 * The grammar of a block (CO-3). Every marker is a line of its own and carries the block's boundary; `defuse` sees to
 * it that nothing else in a block reads like one.
 */
export const markerStart = "[[skillward:";

export interface Markers {
  readonly boundary: string;
  readonly begin: string;
  readonly end: string;
  /** Keyed as well: a body can forge no section. Numbers start at 1. */
  readonly section: (number: number) => string;
}

export function markersOf(boundary: string): Markers {
  return {
    boundary,
    begin: `${markerStart}begin ${boundary}]]`,
    end: `${markerStart}end ${boundary}]]`,
    section: (number) => `${markerStart}skill ${boundary} ${number}]]`,
  };
}

/** Changes with what is rendered and how: the same things have the same bytes only under the same version. */
const renderVersion = 1;

/**
 * The boundary of a block: 128 bits of a keyed hash over everything that makes it up, so that nobody without the key
 * can predict it, and what is in the block cannot contain it. The same set has the same boundary on every node.
 */
export function createBoundary(key: Uint8Array, of: readonly Plain[], texts: readonly string[]): string {
  const hash = createHmac("sha256", key).update(canonicalJson([renderVersion, ...of]));
  return unusedBoundary(hash.digest("hex").slice(0, 32), texts);
}

/** `base`, or with the first counter that makes it occur in none of the texts. */
export function unusedBoundary(base: string, texts: readonly string[]): string {
  const taken = new Set(texts.flatMap((text) => (text.includes(base) ? spellingsIn(text, base) : [])));
  let boundary = base;
  for (let counter = 1; taken.has(boundary); counter++) boundary = `${base}-${counter}`;
  return boundary;
}

/** All that occurs of `base`, `base-1`, `base-12` … in one pass: asking for each counter anew would be quadratic (T26). */
function spellingsIn(text: string, base: string): string[] {
  return [...text.matchAll(new RegExp(`${base}(?:-\\d{1,9})?`, "g"))].flatMap(([seen]) =>
    Array.from({ length: seen.length - base.length + 1 }, (_, more) => seen.slice(0, base.length + more)),
  );
}
