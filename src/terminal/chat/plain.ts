import type { Agent } from "../../agent/agent.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import type { Line } from "../line.ts";
import { replyLines } from "./event-lines.ts";
import { cutLong } from "./stream-text.ts";
import { shapedText, visibleJson } from "../../features/command/safe-output.ts";
import { printable } from "../width.ts";
import { Work } from "./work.ts";

/** Where a conversation without a terminal goes. */
export interface PlainOutput {
  /** What was asked for: pieces of text, with their own line breaks. */
  text(text: string): void;
  /** What is said about it: one line. */
  note(line: string): void;
}

export interface PlainOptions {
  /** One event on each line, as JSON, in place of text and notes. */
  readonly json?: boolean | undefined;
  /** Answers as they may be shown (T34), and not byte for byte. */
  readonly visible?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One line or many, each said when the one before is answered. Whether any of them failed. */
export async function runPlain(
  agent: Agent,
  lines: string | AsyncIterable<string>,
  output: PlainOutput,
  options: PlainOptions = {},
): Promise<boolean> {
  const { json = false, visible = false, signal } = options;
  const teller: Teller = json ? (event) => output.text(`${visibleJson(event)}\n`) : plainTeller(output, visible);
  // For people, whoever opened the agent has shown them.
  if (json) for (const finding of agent.findings) teller({ type: "finding", finding });
  const stop = agent.onEvent(teller);
  let hasFailed = false;
  try {
    for await (const line of typeof lines === "string" ? [lines] : lines) {
      // A blank line in a pipe says nothing.
      if (typeof lines !== "string" && line.trim() === "") continue;
      let isLeaving = false;
      for await (const event of agent.say(line, signal === undefined ? {} : { signal })) {
        teller(event);
        hasFailed ||= isFailure(event);
        isLeaving ||= event.type === "leave";
      }
      if (isLeaving || signal?.aborted === true) break;
    }
  } finally {
    stop();
  }
  return hasFailed || signal?.aborted === true;
}

function isFailure(event: AgentEvent): boolean {
  if (event.type === "reply") return event.reply.isError === true;
  return event.type === "model.failed" || (event.type === "turn.ended" && event.end !== "finished");
}

type Teller = (event: AgentEvent) => void;

/** No screen cuts these: a line is as long as it is. */
const columns = 10_000;

function plainTeller(output: PlainOutput, isVisible: boolean): Teller {
  const answer = new PlainAnswer(output, isVisible);
  const work = new Work();
  return (event) => {
    work.notice(event);
    if (event.type === "text") answer.say(event.text);
    else if (event.type === "model.answered") answer.finish(event.text);
    else {
      if (event.type !== "model.asked") answer.endLine();
      const lines = event.type === "reply" ? [] : work.heed(event, columns);
      for (const line of lines) output.note(textOf(line));
      if (event.type === "reply") for (const line of replyLines(event.reply, columns)) output.text(`${textOf(line)}\n`);
    }
  };
}

function textOf(line: Line): string {
  return line
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

/** Each answer exactly once, whether it comes in pieces or as a whole, and with a line break at its end. */
class PlainAnswer {
  readonly #output: PlainOutput;
  readonly #isVisible: boolean;
  /** What has come of a line that is shown as a whole: half a character cannot be judged. */
  #pending = "";
  #told = 0;
  #isMidLine = false;

  constructor(output: PlainOutput, isVisible: boolean) {
    [this.#output, this.#isVisible] = [output, isVisible];
  }

  say(text: string): void {
    this.#told += text.length;
    if (!this.#isVisible) return this.#write(text);
    const whole = this.#pending + text;
    const end = whole.lastIndexOf("\n") + 1;
    const pieces = cutLong(whole.slice(end));
    this.#pending = pieces.pop() ?? "";
    this.#write(shapedText(whole.slice(0, end) + pieces.join(""), printable));
  }

  finish(text: string): void {
    this.say(text.slice(this.#told));
    this.#told = 0;
    this.endLine();
  }

  endLine(): void {
    this.#write(shapedText(this.#pending, printable));
    this.#pending = "";
    if (this.#isMidLine) this.#write("\n");
  }

  #write(text: string): void {
    if (text === "") return;
    this.#output.text(text);
    this.#isMidLine = !text.endsWith("\n");
  }
}
