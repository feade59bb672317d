import { canonicalJson } from "../../core/canonical.ts";
import type { Timer } from "../../core/world.ts";
import type { CallAsked } from "../../agent/loop/caller.ts";
import { fit, hang, type Line, line, prose } from "../line.ts";
import type { Size } from "../terminal.ts";
import { askedText } from "./asked-text.ts";
import { Reading, type View } from "./reading.ts";

/** So long nothing is typed before the keys of a question count: nobody has answered what came up under the fingers. */
const readingTime = 400;
/** For what is asked every time. */
const plainChoice = "allow? [y]es  [n]o";
const choice = "allow? [y]es  [n]o  [a]lways in this session (this exact call)";
/** Of what would be done: less of it is nothing. */
const leastRows = 3;
const shortChoice = "allow? [y]es [n]o [a]lways this call";
const readOn = "↓ to read the rest, [n]o";
const tooLong = "too long to be read: [n]o";

/** Space turns pages as it does wherever something long is read. */
const scrolls: ReadonlyMap<string, readonly [by: "row" | "page", way: -1 | 1]> = new Map([
  ["up", ["row", -1]],
  ["down", ["row", 1]],
  ["pageup", ["page", -1]],
  ["pagedown", ["page", 1]],
  [" ", ["page", 1]],
]);

interface Question {
  readonly asked: CallAsked;
  readonly title: Line;
  readonly reading: Reading;
  readonly answer: (isAllowed: boolean) => void;
  /** Whether its keys count. */
  isOpen: boolean;
  /** Keys that came before that. */
  early: number;
}

export interface Answered {
  readonly asked: CallAsked;
  readonly isAllowed: boolean;
}

/** Calls that wait for a person's word, one after the other (AG-7). */
export class Questions {
  readonly #timer: Pick<Timer, "after">;
  readonly #onChange: () => void;
  readonly #waiting: Question[] = [];
  /** Exactly these calls were allowed for as long as the session lasts. */
  readonly #always = new Set<string>();

  constructor(timer: Pick<Timer, "after">, onChange: () => void) {
    this.#timer = timer;
    this.#onChange = onChange;
  }

  get current(): CallAsked | null {
    return this.#waiting[0]?.asked ?? null;
  }

  ask(asked: CallAsked): Promise<boolean> {
    if (asked.signal.aborted) return Promise.resolve(false);
    if (asked.everyTime !== true && this.#always.has(markOf(asked))) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => this.#settle(question, false);
      const text = askedText(asked);
      const question: Question = {
        asked,
        title: text.title,
        reading: new Reading(text),
        isOpen: false,
        early: 0,
        answer: (isAllowed) => {
          asked.signal.removeEventListener("abort", end);
          resolve(isAllowed);
        },
      };
      asked.signal.addEventListener("abort", end);
      this.#waiting.push(question);
      if (this.#waiting.length === 1) this.#put(question);
    });
  }

  /** Somebody is still typing something else: true when the key is none of the question's. */
  isEarly(): boolean {
    const [question] = this.#waiting;
    if (question === undefined || question.isOpen) return false;
    question.early += 1;
    return true;
  }

  /** Only `y` and `a` allow, and only what was on the screen, all of it. Undefined when the key is no answer. */
  answer(name: string, room: Size): Answered | undefined {
    const [question] = this.#waiting;
    if (question?.isOpen !== true || !["y", "a", "n", "escape"].includes(name)) return undefined;
    const isAllowed = name === "y" || name === "a";
    if (isAllowed && !(laidOut(question, room).isLarge && question.reading.isRead)) return undefined;
    if (name === "a" && question.asked.everyTime === true) return undefined;
    if (name === "a") this.#always.add(markOf(question.asked));
    this.#settle(question, isAllowed);
    return { asked: question.asked, isAllowed };
  }

  /** Keys that are none of its own do nothing. */
  scroll(name: string, room: Size): void {
    const [question] = this.#waiting;
    const step = scrolls.get(name);
    if (question?.isOpen !== true || step === undefined) return;
    question.reading.scroll(laidOut(question, room).view, ...step);
  }

  /** What `rows` gave for this room is on the screen. */
  show(room: Size): void {
    const [question] = this.#waiting;
    if (question === undefined) return;
    const { view, isLarge } = laidOut(question, room);
    if (isLarge) question.reading.show(view);
  }

  /** Nobody answers any more. */
  close(): void {
    for (const question of this.#waiting.splice(0)) question.answer(false);
    this.#onChange();
  }

  rows(room: Size): Line[] {
    const [question] = this.#waiting;
    return question === undefined ? [] : questionRows(question, room);
  }

  #put(question: Question): void {
    this.#onChange();
    void this.#openLater(question);
  }

  async #openLater(question: Question): Promise<void> {
    for (let early = -1; early !== question.early; ) {
      early = question.early;
      await this.#timer.after(readingTime);
    }
    question.isOpen = true;
    this.#onChange();
  }

  #settle(question: Question, isAllowed: boolean): void {
    const index = this.#waiting.indexOf(question);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    question.answer(isAllowed);
    const [next] = this.#waiting;
    if (index === 0 && next !== undefined) this.#put(next);
    else this.#onChange();
  }
}

function markOf({ tool, input }: CallAsked): string {
  return canonicalJson([tool, input]);
}

/** What exactly would be done, or as much of it as fits and where that is; then why it is asked, and the keys. */
function questionRows(question: Question, room: Size): Line[] {
  const { columns } = room;
  const laid = laidOut(question, room);
  const { head, left, view } = laid;
  const box = view.rows.map((each) => line("│ ", "yellow").concat(each));
  const place = view.isAll ? [] : [placeLine(view, columns)];
  // Why comes last: what would be done is more than why it is asked.
  const why = hang(line("  "), line("  "), line(question.asked.why, "dim"), columns).slice(
    0,
    Math.max(0, Math.min(3, left - box.length - place.length)),
  );
  return [...head, ...box, ...place, ...why, ...keysOf(question, laid, columns)];
}

interface LaidOut {
  readonly head: readonly Line[];
  /** Rows between the head and the keys. */
  readonly left: number;
  /** Else next to nothing fits into the window: nobody reads there, and nothing counts as shown. */
  readonly isLarge: boolean;
  readonly view: View;
}

/** As high before the keys count, and before all was read, as then: nothing that was on the screen goes when they do. */
function laidOut({ asked, title, reading }: Question, room: Size): LaidOut {
  const head = hang([], [], title, room.columns);
  const left = room.rows - head.length - mostKeyRows(asked, room.columns);
  const view = reading.view({ columns: room.columns - 2, rows: Math.max(2, left) });
  return { head, left, isLarge: left >= leastRows, view };
}

function mostKeyRows(asked: CallAsked, columns: number): number {
  return Math.max(...[choiceIn(asked, columns), readOn, tooLong].map((text) => prose(text, columns).length));
}

function placeLine({ from, to, total, isTooLong }: View, columns: number): Line {
  const all = isTooLong ? `more than ${total}` : String(total);
  const place = [`${from + 1}–${to} of ${all}`, from > 0 ? "↑" : "", to < total ? "↓ more" : ""]
    .filter(Boolean)
    .join(" · ");
  return fit(line(columns < 40 ? `  ${place}` : `  lines ${place}`, "yellow"), columns);
}

function keysOf({ asked, isOpen }: Question, { isLarge, view }: LaidOut, columns: number): Line[] {
  if (!isOpen) return [line("allow?", "dim")];
  if (!isLarge) return prose("make the window larger to allow it; [n]o", columns, "bold");
  if (view.isTooLong) return prose(tooLong, columns, "bold");
  return prose(view.isLast ? choiceIn(asked, columns) : readOn, columns, "bold");
}

function choiceIn({ everyTime }: CallAsked, columns: number): string {
  if (everyTime === true) return plainChoice;
  return columns < choice.length ? shortChoice : choice;
}
