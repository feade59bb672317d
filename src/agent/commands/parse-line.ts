/** What a line of a person is. */
export type Line =
  /** For the model, as it stands. */
  | { readonly is: "message"; readonly text: string }
  /** `name` with its slash; nobody has looked whether there is such a command. */
  | { readonly is: "command"; readonly name: string; readonly rest: string }
  /** Skills by the names that were typed; the text after them is for each. */
  | { readonly is: "invocation"; readonly names: readonly string[]; readonly args: string }
  | { readonly is: "fault"; readonly why: string };

/** Bytes. */
export const longestLine = 1024 * 1024;
const mostStacked = 32;

/**
 * Only a first word with one slash in front is a command: a line may begin with a path or with `//`, and is a message then.
 * The word itself is not guessed at: a mistyped command never goes to the model.
 */
export function parseLine(line: string): Line {
  if (Buffer.byteLength(line) > longestLine) return fault(`the line is longer than ${longestLine} bytes`);
  const text = line.trim();
  if (text === "") return fault("the line is empty: say something, or /help");
  if (!text.startsWith("/")) return { is: "message", text };
  if (text.startsWith(invocationPrefix)) return parseInvocations(text);
  const [name = ""] = /^\S+/.exec(text) ?? [];
  if (name.includes("/", 1)) return { is: "message", text };
  return { is: "command", name, rest: text.slice(name.length).trim() };
}

function parseInvocations(text: string): Line {
  const names: string[] = [];
  let at = 0;
  while (text.startsWith(invocationPrefix, at)) {
    const read = readInvocation(text, at);
    if (typeof read === "string") return fault(read);
    names.push(read.name);
    if (names.length > mostStacked) return fault(`more than ${mostStacked} skills in one line`);
    at = skipBlanks(text, read.end);
  }
  return { is: "invocation", names, args: text.slice(at) };
}

function fault(why: string): Line {
  return { is: "fault", why };
}

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
  if (read !== undefined && (read.end === text.length || skipBlanks(text, read.end) > read.end)) return read;
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
