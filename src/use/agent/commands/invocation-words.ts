/** How a skill is named in a line: `/skills:tidy`, or `/skills:"two words"`. */

export const invocationPrefix = "/skills:";

/** A name as it is typed. One with blanks is quoted; so is one that would be read as quoted. */
export function writeName(name: string): string {
  return /^"|\s/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
}

export function writeInvocation(name: string): string {
  return `${invocationPrefix}${writeName(name)}`;
}

/** A name at a place of a text, and where it ends. */
export interface ReadName {
  readonly name: string;
  readonly end: number;
}

/** Far longer than any name; without a bound an open quote would be looked for through a whole line. */
const quotedName = /"((?:[^"\\]|\\.){1,2048})"/sy;
const plainName = /[^\s"]\S*/y;

/** Quoted, or up to the next blank; undefined when neither stands there. */
export function readName(text: string, at: number): ReadName | undefined {
  quotedName.lastIndex = at;
  const quoted = quotedName.exec(text)?.[1];
  if (quoted !== undefined) return { name: quoted.replace(/\\(.)/gs, "$1"), end: quotedName.lastIndex };
  plainName.lastIndex = at;
  const plain = plainName.exec(text)?.[0];
  return plain === undefined ? undefined : { name: plain, end: plainName.lastIndex };
}

/** What stands after the prefix at a place of a text; a text says what is wrong with it. */
export function readInvocation(text: string, at: number): ReadName | string {
  const from = at + invocationPrefix.length;
  const read = readName(text, from);
  if (read !== undefined && isBlankAt(text, read.end)) return read;
  if (text[from] === '"') return `a quoted name ends with a quote and a blank: ${invocationPrefix}"two words" text`;
  return `${invocationPrefix} wants the name of a skill right after the colon; /skills lists them`;
}

/** Where the text goes on. */
export function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

const blanks = /\s*/y;

function isBlankAt(text: string, at: number): boolean {
  return at === text.length || skipBlanks(text, at) > at;
}
