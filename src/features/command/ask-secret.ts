import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { AppError } from "../../core/error.ts";
import type { Call } from "./command.ts";
import type { Keyboard } from "./output.ts";

/** A secret is never an argument, which every process of the machine can read (T40). Piped in, it is the first line. */
export async function askSecret(question: string, from: Keyboard): Promise<string> {
  const [secret] = isTerminal(from) ? await askUnseen([question], from) : [await firstLine(from)];
  return demandUsable(secret);
}

/** Asked for twice at a terminal, since nobody sees what is typed. */
export async function askTwice(question: string, from: Keyboard): Promise<string> {
  if (!isTerminal(from)) return askSecret(question, from);
  const [first, second] = await askUnseen([question, "Once more: "], from);
  if (first !== second) throw refused("the two are not the same; nothing was changed, try again");
  return demandUsable(first);
}

export function isTerminal({ input }: Keyboard): boolean {
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

/** What keys come to when nobody but us reads them. */
export interface Keys {
  /** The lines that were ended with Enter, as they stood then. */
  readonly lines: readonly string[];
  /** As many lines as were wanted, or Ctrl-C, or Ctrl-D on an empty line. */
  readonly ends: boolean;
}

/** Arrows and other keys that a terminal sends as several characters, and what Alt makes of a key. */
// oxlint-disable-next-line no-control-regex
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|[^[O])/g;

const enter = new Set(["\r", "\n"]);
const backspace = new Set(["\u007f", "\b"]);
const [ctrlC, ctrlD, ctrlU] = ["\u0003", "\u0004", "\u0015"];

/** Pure, from the first key on: a sequence that came in two parts is whole the next time. */
export function readKeys(raw: string, wanted: number): Keys {
  const lines: string[] = [];
  let line: string[] = [];
  for (const key of raw.replace(sequences, "").replaceAll("\r\n", "\r")) {
    if (key === ctrlC || (key === ctrlD && line.length === 0)) return { lines, ends: true };
    if (enter.has(key)) {
      lines.push(line.join(""));
      if (lines.length === wanted) return { lines, ends: true };
      line = [];
    } else if (backspace.has(key)) line.pop();
    else if (key === ctrlU) line = [];
    else if (key >= " ") line.push(key);
  }
  return { lines, ends: false };
}

type Answer = "yes" | "no" | "nobody to ask";

/** Before something is written: `--yes` answers for good, a person at a terminal does, and nobody else (AG-11). */
export async function confirm(call: Call, question: string, from: Keyboard): Promise<Answer> {
  if (call.options["yes"] === true) return "yes";
  if (call.options["json"] === true || !isTerminal(from)) return "nobody to ask";
  const line = await ask(`${question} [y/N] `, from);
  return /^\s*y(?:es)?\s*$/i.test(line) ? "yes" : "no";
}

/** Whoever closes the input has said nothing. */
function ask(question: string, { input, output }: Keyboard): Promise<string> {
  output.write(question);
  const lines = createInterface({ input, terminal: false });
  const answered = new Promise<string>((resolve) => {
    lines.once("line", resolve).once("close", () => resolve(""));
  });
  return answered.finally(() => lines.close());
}

/** As much as a text for a model may have: more than any of them reads. */
const mostBytes = 16 * 2 ** 20;

/** All of standard input as text, byte for byte. What is no UTF-8 is refused: it would be read as another text. */
export async function readInput(input: Readable, signal: AbortSignal, most = mostBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stop = () => input.destroy(new AppError("usage.invalid", "interrupted while the input was read"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of input) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > most) throw new AppError("usage.invalid", `the input has more than ${most} bytes`);
      chunks.push(part);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return decode(Buffer.concat(chunks));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("usage.invalid", "the input is not valid UTF-8", { cause });
  }
}
