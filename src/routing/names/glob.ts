import { fitsAll } from "../../core/glob.ts";

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
  const forms = writtenOut(pattern)?.map((form) => Object.freeze(`${folders}/${form}`.split("/").filter(isSegment)));
  const literals = Math.min(...(forms ?? []).map(literalsOf));
  return forms === undefined || literals === 0 ? null : { written, forms, literals };
}

/** Whether a path fits. */
export function fits({ forms }: Glob, path: string): boolean {
  const segments = path.toLowerCase().split("/").filter(isSegment);
  return forms.some((form) => fitsAll(form, segments, segments.length));
}

function isSegment(segment: string): boolean {
  return segment !== "" && segment !== ".";
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
