import { hasText, rowsWhere } from "./body.ts";
import { approvalOf, askForGrants, beginOverride, overrideOf, rejectionOf } from "./deciding.ts";
import type { Key } from "../keys.ts";
import { movedBy } from "./review-keys.ts";
import { goTo } from "./reviewing.ts";
import { type Ask, type Plan, request, type ReviewState, type State, stay, type Step, tell, within } from "./state.ts";
import { helpBody } from "./views/help.ts";
import { helpHeight } from "./views/render.ts";
import { openIn, short } from "./words.ts";

type AskOf<Kind extends Ask["kind"]> = Extract<Ask, { readonly kind: Kind }>;

/** A question takes every key. What it does not know does nothing. */
export function onAskKey(state: State, ask: Ask, key: Key): Step {
  switch (ask.kind) {
    case "help":
      return onHelp(state, ask, key);
    case "digests":
      return close(state);
    case "filter":
      return onFilter(state, ask, key);
    case "clean":
      return onClean(state, key);
    case "search":
    case "note":
    case "blocked":
    case "codes":
    case "reason":
    case "then":
    case "grants":
    case "confirm":
      return state.review === null ? close(state) : onReviewAsk(state, state.review, ask, key);
  }
}

type ReviewAsk = AskOf<"search" | "note" | "blocked" | "codes" | "reason" | "then" | "grants" | "confirm">;

function onReviewAsk(state: State, review: ReviewState, ask: ReviewAsk, key: Key): Step {
  if (key.name === "escape") return ask.kind === "search" ? search(state, review, "") : giveUp(state);
  switch (ask.kind) {
    case "search":
      return onField(state, ask, key, (text) => search(state, review, text));
    case "note":
      return onField(state, ask, key, (text) => confirm(state, rejectionOf(review.view, text)));
    case "blocked":
      return key.name === "o" ? beginOverride(state, review) : stay(state);
    case "codes":
      return onCodes(state, ask, key);
    case "reason":
      return onField(state, ask, key, (reason) => onReason(state, review, ask, reason));
    case "then":
      return onThen(state, review, ask, key);
    case "grants":
      return onGrants(state, review, ask, key);
    case "confirm":
      return onConfirm(state, ask.plan, key);
  }
}

function close(state: State): Step {
  return stay({ ...state, ask: null });
}

function giveUp(state: State): Step {
  return tell({ ...state, ask: null }, "nothing was decided");
}

function confirm(state: State, plan: Plan): Step {
  return stay({ ...state, ask: { kind: "confirm", plan } });
}

function onHelp(state: State, ask: AskOf<"help">, { name }: Key): Step {
  const [all, height] = [helpBody(state).height, helpHeight(state.size)];
  const moved = movedBy(name, height, all);
  if (moved === undefined) return close(state);
  return stay({ ...state, ask: { ...ask, top: within(ask.top + moved, all - height + 1) } });
}

/** The list follows every letter. */
function onFilter(state: State, ask: AskOf<"filter">, key: Key): Step {
  if (state.queue === null) return close(state);
  if (key.name === "enter") return close(state);
  const filter = key.name === "escape" ? "" : typedInto(ask.field, key);
  const next = key.name === "escape" ? null : { ...ask, field: filter };
  return stay({ ...state, ask: next, queue: { ...state.queue, filter, cursor: 0 } });
}

function onClean(state: State, { name }: Key): Step {
  if (name === "n" || name === "escape" || name === "q") return giveUp(state);
  if (name !== "y") return stay(state);
  return request({ ...state, ask: null }, "approving what is clean", (id) => ({ kind: "clean", id }), true);
}

/** Long enough for any reason, and little enough for a row. */
const longestField = 1000;

function typedInto(field: string, { name, typed }: Key): string {
  switch (name) {
    case "backspace":
      return Array.from(field).slice(0, -1).join("");
    case "ctrl-u":
      return "";
    case "ctrl-w":
      return field.trimEnd().replace(/\S+$/, "");
    default:
      return (field + typed).slice(0, longestField);
  }
}

function onField(state: State, ask: AskOf<"search" | "note" | "reason">, key: Key, done: (text: string) => Step): Step {
  if (key.name === "enter") return done(ask.field.trim());
  return stay({ ...state, ask: { ...ask, field: typedInto(ask.field, key) } });
}

/** Goes to the first place at or below the top of the screen, or else to the first of all. */
function search(state: State, review: ReviewState, text: string): Step {
  const looking = { ...state, ask: null, review: { ...review, search: text } };
  if (text === "") return stay(looking);
  const rows = rowsWhere(review.body, (block) => hasText(block, text.toLowerCase()));
  const row = rows.find((each) => each >= review.top) ?? rows[0];
  if (row === undefined) return tell({ ...looking, review: { ...review, search: "" } }, `“${text}” is not here`);
  return stay({ ...looking, review: goTo(state, { ...looking.review, mark: row }, row - 2) });
}

function onCodes(state: State, ask: AskOf<"codes">, { name }: Key): Step {
  const { codes, cursor, picked } = ask;
  const code = codes[cursor] ?? "";
  if (name === " ") {
    const others = picked.filter((each) => each !== code);
    return stay({ ...state, ask: { ...ask, picked: others.length < picked.length ? others : [...picked, code] } });
  }
  // Whoever goes on without picking means the one under the cursor.
  if (name === "enter")
    return stay({ ...state, ask: { kind: "reason", picked: picked.length === 0 ? [code] : picked, field: "" } });
  const moved = movedBy(name, codes.length, codes.length);
  return stay({ ...state, ask: { ...ask, cursor: within(cursor + (moved ?? 0), codes.length) } });
}

/** RV-6: nothing is overridden without a reason. */
function onReason(state: State, { view }: ReviewState, { picked }: AskOf<"reason">, reason: string): Step {
  if (reason === "") return tell(state, "an override needs a reason", "fault");
  const stillOpen = openIn(view).filter((code) => !picked.includes(code));
  return stay({ ...state, ask: { kind: "then", draft: { overrides: picked, reason }, stillOpen } });
}

function onThen(state: State, review: ReviewState, { draft, stillOpen }: AskOf<"then">, { name }: Key): Step {
  if (name === "a" && stillOpen.length === 0) return askForGrants(state, review, draft);
  return name === "o" ? confirm(state, overrideOf(review.view, draft)) : stay(state);
}

function onGrants(state: State, { view }: ReviewState, { draft }: AskOf<"grants">, { name }: Key): Step {
  if (name !== "t" && name !== "w") return stay(state);
  return confirm(state, approvalOf(view, draft, name === "w"));
}

/** RV-5: nothing but `y` signs, and exactly the digest that is named. */
function onConfirm(state: State, plan: Plan, { name }: Key): Step {
  if (name === "n" || name === "q") return giveUp(state);
  if (name !== "y") return stay(state);
  const what = `signing ${plan.saying.act} of ${plan.name} @ ${short(plan.saying.digest)}`;
  return request({ ...state, ask: null }, what, (id) => ({ kind: "say", id, plan }), true);
}
