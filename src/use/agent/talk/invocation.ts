import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import { defuse } from "../../compose/defuse.ts";

/** A skill as a person calls it. */
export interface InvokedSkill {
  /** Its alias. */
  readonly name: string;
  /** Its instructions, without front-matter. */
  readonly body: string;
  /** What was typed behind the name. */
  readonly args: string;
}

/** In characters. A small body can ask for long arguments a thousand times. */
const longestFilled = 4 * 1024 * 1024;
const newlines = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** AG-5: the message that stands for an invocation. What is filled in cannot forge a marker either (CO-3, T30). */
export function renderInvocation({ name, body, args }: InvokedSkill): string {
  const shownName = defuse(safeLine(name, 320)).text;
  const given = args.trim();
  const ending = given === "" ? "" : ` with arguments: "${given.replace(newlines, " ")}"`;
  return `Apply Skill "${shownName}"${ending}\n\n${defuse(fillIn(body, given, shownName)).text}`;
}

/** A backslash before it, or a letter or digit behind it, makes it something else: `\$1`, `$10`, `$ARGUMENTS_FILE`. */
const placeholder = /(?<!\\)\$(?:ARGUMENTS|([1-9]))(?!\w)/g;

/** In one pass: what was filled in is not looked at again. Of words that were not given the place stays: awk has a `$1` too. */
function fillIn(body: string, given: string, name: string): string {
  const words = firstWords(given);
  let length = body.length;
  return body.replace(placeholder, (place, number: string | undefined) => {
    const text = number === undefined ? given : (words[Number(number) - 1] ?? place);
    length += text.length - place.length;
    if (length > longestFilled) throw tooLong(name);
    return text;
  });
}

function tooLong(name: string): AppError {
  const most = longestFilled.toLocaleString("en");
  const message = `with these arguments the instructions of "${name}" have more than ${most} characters: give shorter ones`;
  return new AppError("usage.invalid", message);
}

/** A quote groups where a word begins: the one in `don't` does not. */
const word = /"([^"]*)"|'([^']*)'|\S+/g;
const mostWords = 9;

function firstWords(given: string): readonly string[] {
  const words: string[] = [];
  for (const [whole, inDouble, inSingle] of given.matchAll(word)) {
    if (words.push(inDouble ?? inSingle ?? whole) === mostWords) break;
  }
  return words;
}
