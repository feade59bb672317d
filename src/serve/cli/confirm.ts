import { createInterface } from "node:readline";
import { isTerminal, type Keyboard } from "./ask-secret.ts";
import type { Call } from "./command.ts";

const keyboard: Keyboard = { input: process.stdin, output: process.stderr };

type Answer = "yes" | "no" | "nobody to ask";

/** Before something is written: `--yes` answers for good, a person at a terminal does, and nobody else (AG-11). */
export async function confirm(call: Call, question: string, from: Keyboard = keyboard): Promise<Answer> {
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
