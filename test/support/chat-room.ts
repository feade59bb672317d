import xterm from "@xterm/headless";
import { ChatTerminal, type ChatOptions } from "../../src/terminal/chat/chat-terminal.ts";
import type { Completion } from "../../src/agent/agent.ts";
import { type Script, scriptedAgent } from "../agent/chat-agent.ts";
import { settle } from "../review/virtual-terminal.ts";
import { terminalEnds } from "../review/terminal-ends.ts";

interface RoomOptions extends ChatOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly items?: readonly Completion[];
  readonly colours?: boolean;
  /** What happens while the process is stopped; without it, it cannot be. */
  readonly suspend?: () => void;
}

/** A chat in this process: keys in, a real screen out, and no clock but ours. */
export function chatRoom(script: Script, options: RoomOptions = {}) {
  const { columns = 60, rows = 20, items = [], colours = true } = options;
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  const { input, output, raw, written, listeners, listening } = terminalEnds(columns, rows, (text) =>
    screen.write(text),
  );
  const waits: (() => void)[] = [];
  const ticks = new Set<() => void>();
  const chat = new ChatTerminal({
    input,
    output,
    colours,
    timer: {
      after: () => new Promise((resolve) => waits.push(resolve)),
      every: (_, act) => {
        ticks.add(act);
        return { stop: () => void ticks.delete(act) };
      },
    },
    ...listening,
    suspend: options.suspend,
  });
  const scripted = scriptedAgent(script, {}, items);
  const over = chat.run(scripted.agent, options);
  const shown = async () => {
    await settle();
    await new Promise<void>((done) => screen.write("", done));
  };
  const lines = () => {
    const { active } = screen.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? "",
    );
  };
  return {
    ...scripted,
    chat,
    over,
    written,
    raw,
    ticks,
    listeners,
    shown,
    /** Each argument is one chunk; all that follows from it is on the screen when this returns. */
    async type(...chunks: readonly string[]) {
      for (const chunk of ["", ...chunks]) {
        if (chunk !== "") input.write(chunk);
        await shown();
      }
    },
    /** Time goes by. */
    async wait() {
      for (const resolve of waits.splice(0)) resolve();
      await shown();
    },
    async resize(to: { readonly columns: number; readonly rows: number }) {
      screen.resize(to.columns, to.rows);
      Object.assign(output, to);
      for (const listener of listeners.resize) listener();
      await shown();
    },
    hangUp: () => input.end(),
    /** The process was stopped, somebody else wrote this to the terminal, and now it goes on. */
    async goOn(text = "") {
      screen.write(text);
      for (const listener of listeners.continued) listener();
      await shown();
    },
    async interrupt() {
      for (const listener of listeners.interrupt) listener();
      await shown();
    },
    /** All that can be scrolled back to, without empty rows. */
    lines: () => lines().filter((row) => row !== ""),
    text: () => lines().join("\n"),
    cursor: () => ({ row: screen.buffer.active.cursorY, column: screen.buffer.active.cursorX }),
  };
}
