import { safeName } from "../../../base/text.ts";
import { plainText } from "./plain-text.ts";

/** What a model wrote, read as a specification. */
export interface Specification {
  readonly text: string;
  /** What can be tested of it, in its own words. */
  readonly criteria: readonly string[];
}

const longestAnswer = 64 * 1024;
const mostCriteria = 200;

/** Why an answer cannot be used as a specification. */
export interface Lack {
  readonly lack: string;
  /** Whether asking once more may help. */
  readonly isMendable: boolean;
}

/** The answer is untrusted: bounded, made plain, and refused when it does not say how to tell that it is fulfilled. */
export function parseSpecification(answer: string): Specification | Lack {
  if (answer.length > longestAnswer || Buffer.byteLength(answer) > longestAnswer)
    return { lack: `it is longer than ${longestAnswer} bytes`, isMendable: false };
  const text = withoutFence(plainText(answer).trim());
  if (text === "") return { lack: "it is empty", isMendable: true };
  const items = criteriaIn(text);
  if (items === undefined) return { lack: 'it has no heading "Acceptance criteria"', isMendable: true };
  const criteria = items.filter((item) => /[\p{L}\p{N}]/u.test(item)).slice(0, mostCriteria);
  if (criteria.length > 0) return { text, criteria };
  return { lack: 'there is no list item under "Acceptance criteria"', isMendable: true };
}

/** Models like to put a whole document between code fences. */
function withoutFence(text: string): string {
  const lines = text.split("\n");
  const isWhole =
    /^`{3,10}(?:markdown|md)?$/i.test(lines[0] ?? "") && lines.at(-1) === lines[0]?.replace(/[a-z]+$/i, "");
  return isWhole ? lines.slice(1, -1).join("\n").trim() : text;
}

const fence = /^ {0,3}(?:`{3}|~{3})/;
const heading = /^ {0,3}#{1,6}[ \t]/;
const wanted = /^ {0,3}#{1,6}[ \t]{1,8}(?:\d{1,3}[.)]?[ \t]{1,8})?[*_]{0,2}acceptance criteria\b/i;
const item = /^[ \t]{0,12}(?:\d{1,4}[.)]|[-*+])[ \t]{1,8}(?:\[[ xX]\][ \t]{1,8})?(\S.*)$/;

/** The list items under the heading; undefined when there is none. What stands in a block of code is neither. */
function criteriaIn(text: string): string[] | undefined {
  let found: string[] | undefined;
  let [isInside, isCode] = [false, false];
  for (const line of text.split("\n")) {
    if (fence.test(line)) isCode = !isCode;
    if (isCode) continue;
    if (heading.test(line)) isInside = wanted.test(line);
    if (isInside) found ??= [];
    const [, words] = isInside ? (item.exec(line) ?? []) : [];
    if (words !== undefined) found?.push(words.trimEnd());
  }
  return found;
}

const longestSlug = 56;

/** A file's name out of a title: nothing of it can be a path. Room is left for a number at its end. */
export function slugOf(title: string): string {
  // The head alone: putting a long run of marks in order takes the square of its length (T26).
  const letters = title.slice(0, 256).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== "");
  return words.join("-").slice(0, longestSlug).replace(/-$/, "") || "specification";
}

/** The file as it is written. It says what it is: whoever builds from it should know that no person wrote it. */
export function renderSpecification(title: string, now: number, { text }: Specification): string {
  const day = new Date(now).toISOString().slice(0, 10);
  return `# ${safeName(title) || "Specification"}\n\nDrafted by a model on ${day}; not reviewed.\n\n${text}\n`;
}
