import type { EntryLine } from "../../features/skills/schema.ts";
import type { Finding } from "../../core/finding.ts";
import type { VisibleFile } from "../../diff/visible.ts";
import type { Body } from "./body.ts";
import type { Opened, Waiting } from "./desk.ts";
import type { Saying } from "../../features/review/schema.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const smallest: Size = { columns: 40, rows: 12 };

export const tabs = ["diff", "raw", "findings", "info"] as const;
export type Tab = (typeof tabs)[number];

export interface QueueState extends Waiting {
  readonly filter: string;
  /** Which of the ones that the filter leaves. */
  readonly cursor: number;
}

export interface ReviewState {
  readonly view: Opened;
  /** Of these bytes and of how they came in, the heaviest first. */
  readonly findings: readonly Finding[];
  readonly whys: ReadonlyMap<string, string>;
  readonly raw: "unread" | "reading" | { readonly failed: string } | readonly VisibleFile[];
  readonly tab: Tab;
  readonly body: Body;
  readonly top: number;
  /** The row that `]` or `[` went to last; null after scrolling. */
  readonly mark: number | null;
  /** Which finding is chosen in their list. */
  readonly chosen: number;
  /** Whether what was hidden or encoded is shown decoded. */
  readonly decodes: boolean;
  /** What `]` and `[` look for instead of changes; empty: nothing. */
  readonly search: string;
  /** The finding to go to as soon as it is on the screen. */
  readonly goal: number | null;
}

/** What is carried from question to question until a decision is whole. */
export interface Draft {
  readonly overrides: readonly string[];
  readonly reason: string;
}

/** A decision as it will be said, in words that a person confirms. */
export interface Plan {
  readonly entry: string;
  readonly name: string;
  readonly saying: Saying & { readonly digest: string };
  readonly details: readonly string[];
}

/** A question that takes all keys until it is answered. */
export type Ask =
  | { readonly kind: "help"; readonly top: number }
  | { readonly kind: "digests" }
  | { readonly kind: "filter"; readonly field: string }
  | { readonly kind: "search"; readonly field: string }
  | { readonly kind: "note"; readonly field: string }
  | { readonly kind: "clean"; readonly count: number; readonly more: number }
  | { readonly kind: "blocked"; readonly codes: readonly string[] }
  | {
      readonly kind: "codes";
      readonly codes: readonly string[];
      readonly cursor: number;
      readonly picked: readonly string[];
    }
  | { readonly kind: "reason"; readonly picked: readonly string[]; readonly field: string }
  | { readonly kind: "then"; readonly draft: Draft; readonly stillOpen: readonly string[] }
  | { readonly kind: "grants"; readonly draft: Draft }
  | { readonly kind: "confirm"; readonly plan: Plan };

export interface Message {
  readonly text: string;
  readonly tone: "fine" | "fault";
}

/** What the desk is asked for. An answer to an older `id` is not wanted any more. */
export type Effect =
  | { readonly kind: "queue"; readonly id: number; readonly after: string | null }
  | { readonly kind: "open"; readonly id: number; readonly entry: string; readonly notice: string | null }
  | { readonly kind: "raw"; readonly entry: string; readonly digest: string }
  | { readonly kind: "say"; readonly id: number; readonly plan: Plan }
  | { readonly kind: "clean"; readonly id: number }
  | { readonly kind: "redraw" }
  | { readonly kind: "leave" };

export interface State {
  readonly size: Size;
  readonly screen: "queue" | "review";
  readonly queue: QueueState | null;
  readonly review: ReviewState | null;
  readonly ask: Ask | null;
  readonly message: Message | null;
  /** What is under way. While a decision is being signed no key counts. */
  readonly busy: { readonly id: number; readonly what: string; readonly isDecision: boolean } | null;
  readonly lastId: number;
  /** Entries that were approved or rejected here. */
  readonly decided: number;
  /** `entry digest` of each of them: it is not opened again by itself when it still waits for a second person. */
  readonly settled: ReadonlySet<string>;
}

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function stay(state: State): Step {
  return { state, effects: [] };
}

export function tell(state: State, text: string, tone: Message["tone"] = "fine"): Step {
  return stay({ ...state, message: { text, tone } });
}

/** Asks the desk for something, with a number of its own. */
export function request(state: State, what: string, effect: (id: number) => Effect, isDecision = false): Step {
  const id = state.lastId + 1;
  return { state: { ...state, lastId: id, busy: { id, what, isDecision } }, effects: [effect(id)] };
}

/** Reads the list again; `after`: an entry that was decided, to open the next one. */
export function readQueue(state: State, after: string | null = null): Step {
  return request(state, "reading the queue", (id) => ({ kind: "queue", id, after }));
}

export function openEntry(state: State, entry: string, notice: string | null = null): Step {
  return request(state, `opening ${entry}`, (id) => ({ kind: "open", id, entry, notice }));
}

/** How it begins. */
export function start(size: Size): Step {
  return readQueue({
    size,
    screen: "queue",
    queue: null,
    review: null,
    ask: null,
    message: null,
    busy: null,
    lastId: 0,
    decided: 0,
    settled: new Set(),
  });
}

/** The entries that the filter leaves. */
export function listed(queue: QueueState | null): readonly EntryLine[] {
  if (queue === null) return [];
  const wanted = queue.filter.trim().toLowerCase();
  if (wanted === "") return queue.items;
  return queue.items.filter(({ name, entry, state }) => `${state} ${name} ${entry}`.toLowerCase().includes(wanted));
}

export function within(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < smallest.columns || rows < smallest.rows;
}

/** How the screen is divided. On a low one the facts stand at the top of the body and scroll away with it. */
export interface Areas {
  readonly isLow: boolean;
  readonly hasFacts: boolean;
  /** Rows of the body of a review. */
  readonly body: number;
  /** Rows of the list. */
  readonly list: number;
  /** Columns for text: one to the left stays free for marks. */
  readonly text: number;
}

const [title, tabBar, ruled, message, keys, heading, details] = [1, 1, 1, 1, 1, 1, 3];
/** As many as `factsOf` gives. */
const factRows = 5;

export function areasOf({ columns, rows }: Size): Areas {
  const isLow = rows < 16;
  const hasFacts = rows >= 24;
  const foot = isLow ? keys : message + keys;
  const aroundBody = title + tabBar + (isLow ? 0 : 2 * ruled) + (hasFacts ? factRows : 0);
  const aroundList = title + (isLow ? 0 : heading + details);
  return {
    isLow,
    hasFacts,
    body: Math.max(1, rows - aroundBody - foot),
    list: Math.max(1, rows - aroundList - foot),
    text: columns - 2,
  };
}
