import type { Edge, Program } from "./pattern-program.ts";

/** Work that may still be done: about one for each character whose way on is known, and many for others. */
export interface Effort {
  left: number;
}

/** Where one can be in a program before a character, on all ways at once. */
interface State {
  readonly places: readonly number[];
  readonly before: Side;
  readonly next: Map<number, State | "found">;
}

/** What stands beside an edge. */
type Side = "nothing" | "word" | "other";

/** Ways on and places that are remembered, so that each is worked out once; then all are forgotten. */
const mostRemembered = 200_000;

/** How much longer it takes to work a way out than to remember it, for each step that is looked at. */
const dearness = 25;

/** Among the ways on from a state, what no character has. */
const lineEnd = -1;

/** Looks for a pattern in lines. Nothing is tried and taken back: the work is a constant times the length of the text. */
export class LinearPattern {
  readonly #program: Program;
  readonly #states = new Map<string, State>();
  #remembered = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Where the first match to end ends; -1 when there is none, or when the effort is spent. */
  find(line: string, effort: Effort): number {
    let state = this.#stateAt([], "nothing");
    for (let at = 0; at < line.length; ) {
      const code = line.codePointAt(at) ?? 0;
      const known = state.next.get(code);
      const next = known ?? this.#workOut(state, code, effort);
      if (next === "found") return at;
      if (--effort.left < 0) return -1;
      state = next;
      at += code > 0xffff ? 2 : 1;
    }
    return this.#isFoundAtEnd(state, effort) ? line.length : -1;
  }

  #isFoundAtEnd(state: State, effort: Effort): boolean {
    const known = state.next.get(lineEnd);
    if (known !== undefined) return known === "found";
    const reached = this.#reached(state, "nothing", effort);
    this.#remember(1);
    state.next.set(lineEnd, reached === "found" ? "found" : state);
    return reached === "found";
  }

  #workOut(state: State, code: number, effort: Effort): State | "found" {
    const side = isWord(code) ? "word" : "other";
    const reached = this.#reached(state, side, effort);
    let next: State | "found" = "found";
    if (reached !== "found") {
      const places = new Set<number>();
      for (const place of reached) {
        const step = this.#program.steps[place];
        if (step?.is === "character" && step.test(code)) places.add(step.next);
      }
      next = this.#stateAt(
        [...places].toSorted((a, b) => a - b),
        side,
      );
    }
    this.#remember(1);
    state.next.set(code, next);
    return next;
  }

  /** The steps for a character that can be reached without one, or that the end can be. */
  #reached({ places, before }: State, after: Side, effort: Effort): readonly number[] | "found" {
    const { steps, start } = this.#program;
    const seen = new Set<number>(places);
    // A match may begin anywhere.
    seen.add(start);
    // What is added to a set while it is walked is walked too.
    for (const place of seen) {
      const step = steps[place];
      if (step?.is === "found") return "found";
      if (step?.is === "either") for (const way of step.ways) seen.add(way);
      if (step?.is === "edge" && isAt(step.edge, before, after)) seen.add(step.next);
    }
    effort.left -= dearness * seen.size;
    return [...seen];
  }

  #stateAt(places: readonly number[], before: Side): State {
    const key = `${before} ${places.join(" ")}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    this.#remember(places.length);
    const state: State = { places, before, next: new Map() };
    this.#states.set(key, state);
    return state;
  }

  #remember(more: number): void {
    this.#remembered += more;
    if (this.#remembered <= mostRemembered) return;
    // From one that is still in use all others could be reached, and none would go.
    for (const state of this.#states.values()) state.next.clear();
    this.#states.clear();
    this.#remembered = more;
  }
}

function isAt(edge: Edge, before: Side, after: Side): boolean {
  switch (edge) {
    case "^":
      return before === "nothing";
    case "$":
      return after === "nothing";
    case "b":
      return (before === "word") !== (after === "word");
    case "B":
      return (before === "word") === (after === "word");
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x61 && code <= 0x7a)
  );
}
