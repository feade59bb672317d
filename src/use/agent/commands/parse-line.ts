import { invocationPrefix, readInvocation, skipBlanks } from "./invocation-words.ts";

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
