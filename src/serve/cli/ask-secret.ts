import type { Readable } from "node:stream";
import { AppError } from "../../base/error.ts";
import { readKeys } from "./read-keys.ts";

/** Where secrets come from: a terminal, or what is piped in. Questions go beside the results, to standard error. */
export interface Keyboard {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: { write(text: string): unknown };
}

const keyboard: Keyboard = { input: process.stdin, output: process.stderr };

/** A secret is never an argument, which every process of the machine can read (T40). Piped in, it is the first line. */
export async function askSecret(question: string, from: Keyboard = keyboard): Promise<string> {
  const [secret] = isTerminal(from) ? await askUnseen([question], from) : [await firstLine(from)];
  return demandUsable(secret);
}

/** Asked for twice at a terminal, since nobody sees what is typed. */
export async function askTwice(question: string, from: Keyboard = keyboard): Promise<string> {
  if (!isTerminal(from)) return askSecret(question, from);
  const [first, second] = await askUnseen([question, "Once more: "], from);
  if (first !== second) throw refused("the two are not the same; nothing was changed, try again");
  return demandUsable(first);
}

export function isTerminal({ input }: Keyboard = keyboard): boolean {
  return input.isTTY === true;
}

/** In raw mode a terminal repeats nothing and leaves every key to us. */
async function askUnseen(questions: readonly string[], { input, output }: Keyboard): Promise<readonly string[]> {
  input.setRawMode?.(true);
  try {
    let asked = 0;
    const askNext = (answered: number) => {
      for (; asked <= answered && asked < questions.length; asked++) {
        output.write(`${asked === 0 ? "" : "\n"}${questions[asked]}`);
      }
    };
    askNext(0);
    const keys = await collect(input, (text) => {
      const { lines, ends } = readKeys(text, questions.length);
      askNext(lines.length);
      return ends;
    });
    const { lines } = readKeys(keys, questions.length);
    if (lines.length < questions.length) throw refused("cancelled; nothing was changed");
    return lines;
  } finally {
    input.setRawMode?.(false);
    output.write("\n");
  }
}

async function firstLine({ input }: Keyboard): Promise<string> {
  try {
    const text = await collect(input, (read) => read.includes("\n"));
    return text.split(/\r?\n/, 1)[0] ?? "";
  } finally {
    // Whoever pipes it in may never close their end; the command does not wait for that.
    input.destroy();
  }
}

/** Far more than any secret that is taken. */
const longest = 16 * 1024;

/** Reads until it is enough or there is no more. */
function collect(input: Readable, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const stop = () => {
      input.off("data", onData).off("end", onEnd).off("error", onError).pause();
    };
    const onData = (chunk: string) => {
      text += chunk;
      if (text.length > longest) onError(refused(`more than ${longest} characters are no secret; nothing was changed`));
      else if (isEnough(text)) onEnd();
    };
    const onEnd = () => {
      stop();
      resolve(text);
    };
    const onError = (error: Error) => {
      stop();
      reject(error);
    };
    input.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", onError).resume();
  });
}

function demandUsable(secret = ""): string {
  if (secret === "") throw refused("nothing was typed or piped in; nothing was changed");
  // What bytes that are no UTF-8 were read as: it would be another secret than the one that was meant.
  if (secret.includes("\ufffd")) throw refused("what came in is not valid UTF-8; nothing was changed");
  return secret;
}

function refused(why: string): AppError {
  return new AppError("usage.invalid", why);
}
