import {
  areasOf,
  listed,
  openEntry,
  readQueue,
  type ReviewState,
  type State,
  stay,
  type Step,
  type Tab,
  tabs,
  tell,
  within,
} from "./state.ts";
import { hasText, rowsWhere } from "./body.ts";
import { beginApproval, beginOverride } from "./deciding.ts";
import type { Key } from "../keys.ts";
import { goTo, relaid, showTab } from "./reviewing.ts";

const tabKeys: ReadonlyMap<string, Tab> = new Map([
  ["d", "diff"],
  ["w", "raw"],
  ["f", "findings"],
  ["i", "info"],
]);

export function onReviewKey(state: State, review: ReviewState, { name }: Key): Step {
  const tab = name === "tab" ? tabs[(tabs.indexOf(review.tab) + 1) % tabs.length] : tabKeys.get(name);
  if (tab !== undefined) return showTab(state, review, tab);
  const moved = movedBy(name, areasOf(state.size).body, review.body.height);
  if (moved !== undefined) return move(state, review, moved);
  switch (name) {
    case "a":
      return beginApproval(state, review);
    case "r":
      return stay({ ...state, ask: { kind: "note", field: "" } });
    case "o":
      return beginOverride(state, review);
    case "x":
      return toggleDecoding(state, review);
    case "#":
      return stay({ ...state, ask: { kind: "digests" } });
    case "]":
      return jump(state, review, "next");
    case "[":
      return jump(state, review, "previous");
    case "/":
      return stay({ ...state, ask: { kind: "search", field: review.search } });
    case "n":
      return openBeside(state, review, 1);
    case "p":
      return openBeside(state, review, -1);
    case "enter":
      // In the diff where it stands there, else in the raw text.
      return review.tab === "findings"
        ? showTab(state, { ...review, goal: review.chosen }, review.view.diff.from === null ? "raw" : "diff")
        : stay(state);
    case "?":
      return stay({ ...state, ask: { kind: "help", top: 0 } });
    case "q":
    case "escape":
      return leaveReview(state, review);
    default:
      return stay(state);
  }
}

/** Among the findings the choice moves and the text follows; elsewhere the text moves. */
function move(state: State, review: ReviewState, by: number): Step {
  if (review.tab !== "findings" || review.findings.length === 0)
    return stay({ ...state, review: goTo(state, { ...review, mark: null }, review.top + by) });
  const isStep = Math.abs(by) === 1;
  const chosen = isStep ? review.chosen + by : by < 0 ? review.chosen - 5 : review.chosen + 5;
  const isEnd = Math.abs(by) >= review.body.height;
  return stay(choose(state, review, isEnd ? (by < 0 ? 0 : review.findings.length - 1) : chosen));
}

function choose(state: State, review: ReviewState, wanted: number): State {
  const chosen = within(wanted, review.findings.length);
  const next = relaid(state, { ...review, chosen });
  if (next.review === null) return next;
  const [row = 0] = rowsWhere(next.review.body, ({ finding }) => finding === chosen);
  return { ...next, review: goTo(state, next.review, row - 1) };
}

/** What it does can be off the screen, so it is said. */
function toggleDecoding(state: State, review: ReviewState): Step {
  if (review.findings.every(({ decoded }) => decoded === undefined))
    return tell(state, "nothing was found in it that has to be decoded");
  const decodes = !review.decodes;
  const how = decodes ? "decoded" : "only as it is written";
  return tell(relaid(state, { ...review, decodes }), `hidden and encoded text is shown ${how}`);
}

/** Changes and findings, or while something is looked for the places where it stands. */
function jump(state: State, review: ReviewState, to: "next" | "previous"): Step {
  if (review.tab === "findings" && review.search === "")
    return stay(choose(state, review, review.chosen + (to === "next" ? 1 : -1)));
  const looked = review.search.toLowerCase();
  const stops = rowsWhere(review.body, (block) => (looked === "" ? block.isStop === true : hasText(block, looked)));
  const from = review.mark ?? (to === "next" ? review.top - 1 : review.top);
  const row = to === "next" ? stops.find((stop) => stop > from) : stops.findLast((stop) => stop < from);
  if (row === undefined) return tell(state, `there is no ${to} one ${to === "next" ? "below" : "above"}`);
  return stay({ ...state, review: goTo(state, { ...review, mark: row }, row - 2) });
}

function openBeside(state: State, { view }: ReviewState, by: 1 | -1): Step {
  const entries = listed(state.queue);
  const at = entries.findIndex(({ entry }) => entry === view.entry);
  const next = at < 0 ? entries[0] : entries[at + by];
  if (next === undefined) return tell(state, by > 0 ? "this is the last one" : "this is the first one");
  return openEntry(state, next.entry);
}

function leaveReview(state: State, review: ReviewState): Step {
  if (review.search !== "") return stay({ ...state, review: { ...review, search: "" } });
  return readQueue({ ...state, screen: "queue" });
}

export function onQueueKey(state: State, { name }: Key): Step {
  const { queue } = state;
  if (name === "q") return { state, effects: [{ kind: "leave" }] };
  if (name === "?") return stay({ ...state, ask: { kind: "help", top: 0 } });
  if (name === "r") return readQueue(state);
  if (queue === null) return stay(state);
  const moved = movedBy(name, areasOf(state.size).list, listed(queue).length);
  if (moved !== undefined)
    return stay({ ...state, queue: { ...queue, cursor: within(queue.cursor + moved, listed(queue).length) } });
  switch (name) {
    case "/":
      return stay({ ...state, ask: { kind: "filter", field: queue.filter } });
    case "escape":
      return stay({ ...state, queue: { ...queue, filter: "", cursor: 0 } });
    case "enter": {
      const chosen = listed(queue)[queue.cursor];
      return chosen === undefined ? stay(state) : openEntry(state, chosen.entry);
    }
    case "c": {
      const count = queue.items.filter(({ clean }) => clean).length;
      if (count + queue.more === 0) return tell(state, "nothing that waits is clean: each needs a closer look");
      return stay({ ...state, ask: { kind: "clean", count, more: queue.more } });
    }
    default:
      return stay(state);
  }
}

/** How far a key goes in a list or a text; undefined when it goes nowhere. */
export function movedBy(name: string, page: number, all: number): number | undefined {
  switch (name) {
    case "j":
    case "down":
      return 1;
    case "k":
    case "up":
      return -1;
    case " ":
    case "pagedown":
      return Math.max(1, page - 1);
    case "b":
    case "pageup":
      return -Math.max(1, page - 1);
    case "g":
    case "home":
      return -all;
    case "G":
    case "end":
      return all;
    default:
      return undefined;
  }
}
