import type { Agent } from "../../agent/agent.ts";
import type { AgentEvent } from "../../agent/agent-event.ts";
import { giveUpOn, type Key, nothingHeld, patienceWith, readKeys } from "../keys.ts";
import { fit, type Line, line } from "../line.ts";
import { type Sitting, type Size, sizeOf } from "../terminal.ts";
import type { ChatOptions, LiveTerminal } from "./chat-terminal.ts";
import { enteredLines } from "./edit-rows.ts";
import { chatKeyboard, longestPaste } from "./editor.ts";
import { type Frame, LiveArea, roomyColumns } from "./live-area.ts";
import { Prompt } from "./prompt.ts";
import type { Questions } from "./questions.ts";
import { allFindingLines } from "./event-lines.ts";
import { greeting, statusLine } from "./shown.ts";
import { Work } from "./work.ts";

/** Milliseconds. */
const spinning = 160;
const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

/** A turn that is under way. */
interface Turn {
  readonly work: Work;
  readonly controller: AbortController;
}

/** Keys in, rows out, and the agent in between. */
export class ChatSession implements Sitting {
  readonly #agent: Agent;
  readonly #terminal: LiveTerminal;
  readonly #area: LiveArea;
  readonly #prompt: Prompt;
  readonly #questions: Questions;
  readonly #options: ChatOptions;
  readonly #onOver: (how: "left" | "ended", fault?: unknown) => void;
  #turn: Turn | null = null;
  #held = nothingHeld;
  #chunks = 0;
  #frame = 0;
  /** Something to know about what was just typed; gone with the next key. */
  #hint = "";
  #isOver = false;

  constructor(
    agent: Agent,
    terminal: LiveTerminal,
    questions: Questions,
    options: ChatOptions,
    onOver: (how: "left" | "ended", fault?: unknown) => void,
  ) {
    [this.#agent, this.#terminal, this.#questions, this.#options] = [agent, terminal, questions, options];
    this.#area = new LiveArea(terminal.output, terminal.colours);
    this.#prompt = new Prompt((text) => agent.complete(text), options.history);
    this.#onOver = onOver;
  }

  begin(): void {
    this.#area.open();
    const { columns } = sizeOf(this.#terminal);
    this.#draw([...greeting(this.#agent.state), ...allFindingLines(this.#agent.findings, columns), []]);
  }

  /** As it was before, but for what was said. */
  close(): void {
    this.#isOver = true;
    this.#turn?.controller.abort();
    this.#area.close();
  }

  leave(): void {
    this.#end("ended");
  }

  onResize(): void {
    this.#area.onResize(sizeOf(this.#terminal));
    this.#draw();
  }

  onContinue(): void {
    this.#area.openAgain();
    this.#draw();
  }

  onChunk(chunk: string): void {
    const { keys, held } = readKeys(this.#held, chunk, chatKeyboard);
    this.#held = held;
    this.#onKeys(keys);
    this.#chunks += 1;
    const patience = patienceWith(held);
    if (patience !== null) void this.#giveUpLater(this.#chunks, patience);
  }

  /** What happened between two turns. */
  onEvent(event: AgentEvent): void {
    const { columns } = sizeOf(this.#terminal);
    this.#guarded(() => {
      if (event.type === "skills.changed") this.#prompt.refresh();
      this.#draw(this.#work.heed(event, columns));
    });
  }

  /** Something below has changed. */
  onChange(): void {
    this.#draw();
  }

  /** What happens between two turns belongs to none. */
  get #work(): Work {
    return this.#turn?.work ?? new Work();
  }

  async #giveUpLater(chunk: number, patience: number): Promise<void> {
    await this.#terminal.timer.after(patience);
    if (chunk !== this.#chunks || this.#isOver) return;
    const { keys, held } = giveUpOn(this.#held, chatKeyboard);
    this.#held = held;
    this.#onKeys(keys);
  }

  #onKeys(keys: readonly Key[]): void {
    this.#guarded(() => {
      for (const key of keys) {
        if (this.#isOver) return;
        this.#onKey(key, keys.length === 1);
      }
      this.#draw();
    });
  }

  /** `isAlone`: nothing else came with it, so that somebody pressed it now. */
  #onKey(key: Key, isAlone: boolean): void {
    const wasWarned = this.#hint === leaveHint;
    this.#hint = key.name === "paste" && key.typed.length >= longestPaste ? pasteHint : "";
    if (key.name === "ctrl-l") this.#area.clearScreen();
    else if (key.name === "ctrl-z") this.#suspend();
    else if (key.name === "ctrl-c") this.#onInterrupt(wasWarned);
    else if (this.#questions.current !== null) this.#onAnswer(key, isAlone);
    else if (this.#turn !== null) this.#typeAhead(key);
    else if (key.name === "ctrl-d" && this.#prompt.isEmpty) this.#end("left");
    else {
      const entered = this.#prompt.press(key);
      if (entered !== undefined) this.#enter(entered);
    }
  }

  /** Cancels the turn; at the prompt it clears the line, and on an empty one it leaves when it comes twice. */
  #onInterrupt(wasWarned: boolean): void {
    if (this.#turn !== null && !this.#turn.controller.signal.aborted) {
      this.#turn.controller.abort();
      this.#questions.close();
    } else if (this.#turn !== null || (wasWarned && this.#prompt.isEmpty)) this.#end("left");
    else if (this.#prompt.isEmpty) this.#hint = leaveHint;
    else this.#prompt.clear();
  }

  /** As any program does: the shell has the terminal until we go on. */
  #suspend(): void {
    const { suspend, input } = this.#terminal;
    if (suspend === undefined) return;
    this.#area.close();
    input.setRawMode?.(false);
    suspend();
    // Not left to the signal that says so: where there is no shell to go back to, nothing is stopped, and none comes.
    input.setRawMode?.(true);
    this.onContinue();
  }

  #onAnswer(key: Key, isAlone: boolean): void {
    if (this.#questions.isEarly()) return this.#typeAhead(key);
    const answered = isAlone ? this.#questions.answer(key.name, this.#roomToAsk()) : undefined;
    if (answered !== undefined) this.#draw(this.#work.answer(answered, sizeOf(this.#terminal).columns));
    else this.#questions.scroll(key.name, this.#roomToAsk());
  }

  /** Nothing is sent while a turn runs; whoever tries to is told. */
  #typeAhead(key: Key): void {
    this.#prompt.typeAhead(key);
    if (key.name !== "enter" || this.#prompt.isEmpty) return;
    this.#hint = this.#turn?.controller.signal.aborted === true ? busyHint : `${busyHint}, Ctrl-C cancels`;
  }

  #enter(text: string): void {
    if (text.trim() === "") return;
    if (this.#prompt.remember(text)) this.#options.onHistory?.(text);
    const turn: Turn = { work: new Work(), controller: new AbortController() };
    // Before anything is drawn: a prompt would be there for a moment that takes no line.
    this.#turn = turn;
    this.#draw(enteredLines(text));
    void this.#take(text, turn);
  }

  async #take(text: string, turn: Turn): Promise<void> {
    const spinner = this.#terminal.timer.every(spinning, () => {
      this.#frame += 1;
      this.#draw();
    });
    let isLeaving = false;
    try {
      for await (const event of this.#agent.say(text, { signal: turn.controller.signal })) {
        if (this.#isOver) break;
        isLeaving ||= event.type === "leave";
        this.#draw(turn.work.heed(event, sizeOf(this.#terminal).columns));
      }
      this.#turn = null;
      if (this.#hint.startsWith(busyHint)) this.#hint = "";
      this.#draw([...turn.work.end(), []]);
      if (isLeaving) this.#end("left");
    } catch (fault) {
      this.#end("ended", fault);
    } finally {
      spinner.stop();
    }
  }

  /** Lines for good, and below them what goes on. */
  #draw(printed: readonly Line[] = []): void {
    if (this.#isOver) return;
    const room = this.#room();
    this.#area.update(printed, lastRows(this.#frameIn(room), room.rows));
    this.#questions.show(this.#roomToAsk());
  }

  /** One row stays free, so that where the area begins can always be reached. */
  #room(): Size {
    const { columns, rows } = sizeOf(this.#terminal);
    return { columns, rows: Math.max(2, rows - 1) };
  }

  #roomToAsk(): Size {
    const { columns, rows } = this.#room();
    return { columns, rows: rows - 1 };
  }

  /** From top to bottom: what goes on, what is asked, what is typed, and how things stand. */
  #frameIn({ columns, rows: room }: Size): Frame {
    const isAsked = this.#questions.current !== null;
    const asked = this.#questions.rows(this.#roomToAsk());
    const going = this.#turn === null ? [] : this.#turnRows(this.#turn, columns, room - 2 - asked.length);
    const top = [...going, ...asked];
    const roomy = roomyColumns(columns);
    const hint = line(`  ${this.#hint}`, this.#hint.startsWith(busyHint) ? "dim" : "yellow");
    const status = this.#hint === "" ? statusLine(this.#agent.state, roomy) : fit(hint, columns);
    if (isAsked || (this.#turn !== null && this.#prompt.isEmpty)) return { rows: [...top, status], cursor: null };
    const { rows, cursor } = this.#prompt.frame(roomy, Math.max(1, room - 1 - top.length));
    const below = this.#prompt.hasMenu && this.#hint === "" ? [] : [status];
    const moved = cursor === null ? null : { ...cursor, row: cursor.row + top.length };
    return { rows: [...top, ...rows, ...below], cursor: moved };
  }

  #turnRows({ work, controller }: Turn, columns: number, room: number): Line[] {
    const frame = frames[this.#frame % frames.length] ?? "";
    const said = controller.signal.aborted ? "cancelling… Ctrl-C leaves" : "working… Ctrl-C cancels";
    const spinner = this.#questions.current === null ? [fit(line(`${frame} ${said}`, "dim"), columns)] : [];
    return [...work.rows(columns, Math.max(1, room - spinner.length)), ...spinner];
  }

  /** A fault of ours must not leave the terminal as it is. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (fault) {
      this.#end("ended", fault);
    }
  }

  #end(how: "left" | "ended", fault?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(how, fault);
  }
}

/** What is too much for the window is left out at the top. */
function lastRows({ rows, cursor }: Frame, most: number): Frame {
  const over = Math.max(0, rows.length - most);
  return {
    rows: rows.slice(over),
    cursor: cursor === null ? null : { ...cursor, row: Math.max(0, cursor.row - over) },
  };
}

const leaveHint = "Ctrl-C again to leave";
const busyHint = "still working: Enter again when it is done";
const pasteHint = `only the first ${longestPaste.toLocaleString("en")} characters of what was pasted are here`;
