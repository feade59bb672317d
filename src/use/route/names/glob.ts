/** A path pattern that has been read. */
export interface Glob {
  readonly written: string;
  /** What its braces stand for, each written out, by folders and the file's name. */
  readonly forms: readonly (readonly string[])[];
  /** How many characters of a path it names itself, dots aside. */
  readonly literals: number;
}

const longestPattern = 256;
const mostForms = 32;
/** Any folders, or none. */
const folders = "**";

/**
 * Reads `*`, `**`, `?` and `{a,b}`; all else is itself, in no case. A pattern may begin at any folder: nobody knows
 * which one a path was counted from. Null is one that is too much, or that fits every file and says nothing of any.
 */
export function readGlob(written: string): Glob | null {
  if (written.length > longestPattern) return null;
  const pattern = written.trim().toLowerCase().replaceAll("\\", "/");
  const forms = writtenOut(pattern)?.map((form) => `${folders}/${form}`.split("/").filter(isSegment));
  const literals = Math.min(...(forms ?? []).map(literalsOf));
  return forms === undefined || literals === 0 ? null : { written, forms, literals };
}

/** Whether a path fits. Takes at most as many steps as both lengths multiplied, whatever the two are. */
export function fits({ forms }: Glob, path: string): boolean {
  const segments = path.toLowerCase().split("/").filter(isSegment);
  return forms.some((form) => isMatch(form, segments, folders, fitsName));
}

function isSegment(segment: string): boolean {
  return segment !== "" && segment !== ".";
}

function fitsName(pattern: string, name: string): boolean {
  return isMatch(
    Array.from(pattern),
    Array.from(name),
    "*",
    (piece, character) => piece === "?" || piece === character,
  );
}

/**
 * The widest piece takes as little as it can, and one more whenever what follows it does not fit. Only the last one is
 * ever gone back to: what the earlier ones took can stay.
 */
function isMatch(
  pieces: readonly string[],
  items: readonly string[],
  widest: string,
  isAlike: (piece: string, item: string) => boolean,
): boolean {
  let [piece, item, lastWidest, taken] = [0, 0, -1, 0];
  while (item < items.length) {
    const [wanted, there] = [pieces[piece], items[item] ?? ""];
    if (wanted === widest) [lastWidest, taken, piece] = [piece, item, piece + 1];
    else if (wanted !== undefined && isAlike(wanted, there)) [piece, item] = [piece + 1, item + 1];
    else if (lastWidest === -1) return false;
    else [piece, taken, item] = [lastWidest + 1, taken + 1, taken + 1];
  }
  return pieces.slice(piece).every((left) => left === widest);
}

/** The innermost braces first, until there are none; undefined when that makes too many. */
function writtenOut(pattern: string): readonly string[] | undefined {
  let forms: readonly string[] = [pattern.endsWith("/") ? pattern + folders : pattern];
  while (forms.some((form) => innermost.test(form))) {
    forms = forms.flatMap(withoutOneBrace);
    if (forms.length > mostForms) return undefined;
  }
  return forms;
}

const innermost = /\{([^{}]{0,256})\}/;

function withoutOneBrace(form: string): readonly string[] {
  const found = innermost.exec(form);
  if (found === null) return [form];
  const [whole, inside = ""] = found;
  const [head, tail] = [form.slice(0, found.index), form.slice(found.index + whole.length)];
  return inside.split(",").map((choice) => head + choice + tail);
}

function literalsOf(form: readonly string[]): number {
  return form.reduce((count, segment) => count + segment.replace(/[*?.]/g, "").length, 0);
}
