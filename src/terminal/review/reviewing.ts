import { heaviestFirst } from "../../core/finding.ts";
import { lineAbove, rowsWhere } from "./body.ts";
import type { Opened } from "./desk.ts";
import { areasOf, type ReviewState, type State, stay, type Step, type Tab } from "./state.ts";
import { bodyOf } from "./views/tab.ts";

/** A new entry opens as raw text, a change as a diff (RV-4). */
export function openReview(state: State, view: Opened, whys: ReadonlyMap<string, string>): Step {
  const blank = {
    view,
    findings: heaviestFirst(view.revision.findings),
    whys,
    raw: "unread",
    tab: view.diff.from === null ? "raw" : "diff",
    top: 0,
    mark: null,
    chosen: 0,
    decodes: false,
    search: "",
    goal: null,
  } as const;
  const review: ReviewState = { ...blank, body: bodyOf(blank, state.size) };
  return showTab({ ...state, screen: "review", review }, review, review.tab);
}

/** The raw text is read when it is first wanted. */
export function showTab(state: State, review: ReviewState, tab: Tab): Step {
  const isWanted = tab === "raw" && review.raw === "unread";
  const next = relaid(state, { ...review, tab, top: 0, mark: null, raw: isWanted ? "reading" : review.raw });
  const { entry, revision } = review.view;
  return isWanted ? { state: next, effects: [{ kind: "raw", entry, digest: revision.digest }] } : stay(next);
}

/** Laid out anew, at about the same place; or at the finding that somebody wants to see. */
export function relaid(state: State, changed: ReviewState): State {
  const body = bodyOf(changed, state.size);
  const review: ReviewState = { ...changed, body, mark: null };
  const [row] = review.goal === null ? [] : rowsWhere(body, ({ finding }) => finding === review.goal);
  if (row === undefined || review.tab === "findings") return { ...state, review: goTo(state, review, review.top) };
  // The line it is about is seen from its beginning, unless it alone is taller than the screen.
  const top = Math.max(lineAbove(body, row) - 2, row - areasOf(state.size).body + 4);
  return { ...state, review: goTo(state, { ...review, mark: row, goal: null }, top) };
}

/** Never past either end. */
export function goTo({ size }: Pick<State, "size">, review: ReviewState, row: number): ReviewState {
  const last = Math.max(0, review.body.height - areasOf(size).body);
  return { ...review, top: Math.max(0, Math.min(row, last)) };
}
