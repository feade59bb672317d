import type { Timer } from "../../core/world.ts";
import type { Agent } from "../../agent/agent.ts";
import type { CallAsked } from "../../agent/loop/caller.ts";
import { takeKeyboard, type Terminal } from "../terminal.ts";
import { ChatSession } from "./chat-session.ts";
import { Questions } from "./questions.ts";

/** A terminal that moves while something is under way. */
export interface LiveTerminal extends Terminal {
  readonly timer: Timer;
}

export interface ChatOptions {
  /** What was typed in earlier sessions, the oldest first. */
  readonly history?: readonly string[] | undefined;
  /** Told of every line that was entered, for whoever keeps them. */
  readonly onHistory?: ((line: string) => void) | undefined;
}

/** A conversation at a terminal: what is said stays in its scrollback, and below it is a line to type on. */
export class ChatTerminal {
  readonly #terminal: LiveTerminal;
  readonly #questions: Questions;
  #session: ChatSession | null = null;

  constructor(terminal: LiveTerminal) {
    this.#terminal = terminal;
    this.#questions = new Questions(terminal.timer, () => this.#session?.onChange());
  }

  /** A person's word for a call; no when nobody is there to give it. */
  ask(asked: CallAsked): Promise<boolean> {
    return this.#session === null ? Promise.resolve(false) : this.#questions.ask(asked);
  }

  /** Until the person leaves, or the terminal is gone. The agent is the caller's to close. */
  async run(agent: Agent, options: ChatOptions = {}): Promise<"left" | "ended"> {
    const { promise, resolve, reject } = promised();
    const session = new ChatSession(agent, this.#terminal, this.#questions, options, (how, fault) =>
      fault === undefined ? resolve(how) : reject(fault),
    );
    this.#session = session;
    const stops = [takeKeyboard(this.#terminal, session), agent.onEvent((event) => session.onEvent(event))];
    try {
      session.begin();
      return await promise;
    } finally {
      this.#session = null;
      session.close();
      this.#questions.close();
      for (const stop of stops) stop();
    }
  }
}

function promised() {
  let [resolve, reject] = [(_how: "left" | "ended") => {}, (_fault: unknown) => {}];
  const promise = new Promise<"left" | "ended">((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}
