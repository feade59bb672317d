/**
 * Text from outside, made safe to show (SK-13). Showing is all this is for: nothing here changes what is
 * hashed, stored or injected.
 */

/** Controls, bidi marks, zero-width and tag characters, variation selectors, fillers, lone surrogates, private use. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
const allUnseen = new RegExp(unseen.source, "gu");
const longestName = 64;

/** Most text is this, and for it the regular expressions above need not be built: they cost more than a parse. */
const printable = /^[\x20-\x7e]*$/;

export function isPrintableAscii(text: string): boolean {
  return printable.test(text);
}

/** How many characters (code points) a text has, as the public specification counts them. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters++;
  return characters;
}

const publicForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a name has the public specification's form, without letters beyond a to z: one word, and no sentence. */
export function isPublicName(name: string): boolean {
  return name.length <= longestName && publicForm.test(name);
}

export function hasUnseen(text: string): boolean {
  return !isPrintableAscii(text) && unseen.test(text);
}

/** A text out of a row: whoever changed the row by hand may have put something else there. */
export function storedText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A name as it may be shown anywhere: one line, nothing unseen, at most 64 characters. Never used as a path. */
export function safeName(name: string): string {
  return shorten(oneLine(name), longestName);
}

/** What two names are compared by: shown form, NFKC, case folded. */
export function nameKey(name: string): string {
  // There and back folds what lower case alone keeps apart: ß and ss, the two lowercase sigmas.
  const folded = nfkc(oneLine(name)).toLowerCase().toUpperCase().toLowerCase();
  return oneLine(nfkc(folded));
}

/** Far more than any name that may be, and little enough to be normalised at no cost. */
const longestNormalised = 1024;

/** NFKC of the head of a text: putting a long run of combining marks in order takes the square of its length (T26). */
export function nfkc(text: string): string {
  return text.slice(0, longestNormalised).normalize("NFKC");
}

function oneLine(text: string): string {
  return withoutUnseen(text.replace(/\s+/g, " ")).replace(/ {2,}/g, " ").trim();
}

/** An excerpt on one line with the unseen made visible as `\u{202e}`, so that it cannot hide or move anything. */
export function safeLine(text: string, longest = 120): string {
  // Cut before escaping: a long hostile value must not cost more than what is shown.
  const head = text.length > longest * 2 ? text.slice(0, longest * 2) : text;
  const cut = head.length < text.length;
  return shorten(cut ? `${escapeUnseen(head)}…` : escapeUnseen(head), longest);
}

function withoutUnseen(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(allUnseen, "");
}

function escapeUnseen(text: string): string {
  if (isPrintableAscii(text)) return text;
  return text.replace(allUnseen, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

/** The text of bytes that are exactly its UTF-8, a byte order mark included; null for any others. */
export function exactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** By code units: no two machines disagree on it. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A number as it reads best: 10,000. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
