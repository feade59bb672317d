import { onAnswer } from "./answers.ts";
import { onAskKey } from "./ask-keys.ts";
import type { Answer } from "./desk.ts";
import type { Key } from "../keys.ts";
import { onQueueKey, onReviewKey } from "./review-keys.ts";
import { relaid } from "./reviewing.ts";
import { isTooSmall, type Size, type State, stay, type Step } from "./state.ts";

export type Event =
  | { readonly type: "key"; readonly key: Key }
  | { readonly type: "resized"; readonly size: Size }
  | Answer;

/** Pure: everything that can happen, and what follows from it. */
export function update(state: State, event: Event): Step {
  if (event.type === "key") return onKey(state, event.key);
  return event.type === "resized" ? onResize(state, event.size) : onAnswer(state, event);
}

function onResize(state: State, size: Size): Step {
  const resized = { ...state, size };
  return stay(state.review === null ? resized : relaid(resized, state.review));
}

function onKey(state: State, key: Key): Step {
  if (key.name === "ctrl-c") return { state, effects: [{ kind: "leave" }] };
  if (key.name === "ctrl-l") return { state, effects: [{ kind: "redraw" }] };
  if (isTooSmall(state.size)) return key.name === "q" ? { state, effects: [{ kind: "leave" }] } : stay(state);
  if (state.busy !== null) return onKeyMeanwhile(state, state.busy.isDecision, key);
  const heard: State = { ...state, message: null };
  if (state.ask !== null) return onAskKey(heard, state.ask, key);
  return state.screen === "review" && state.review !== null
    ? onReviewKey(heard, state.review, key)
    : onQueueKey(heard, key);
}

/** What is only read can be given up; what is being signed cannot. */
function onKeyMeanwhile(state: State, isDecision: boolean, { name }: Key): Step {
  if (isDecision || (name !== "q" && name !== "escape")) return stay(state);
  if (state.screen === "queue" && name === "q") return { state, effects: [{ kind: "leave" }] };
  return stay({ ...state, busy: null });
}
