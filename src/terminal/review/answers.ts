import type { Word } from "../../registry/ledger/decision.ts";
import type { Waiting, Answer } from "./desk.ts";
import { openReview, relaid } from "./reviewing.ts";
import {
  listed,
  type Message,
  openEntry,
  type QueueState,
  readQueue,
  type State,
  stay,
  type Step,
  tell,
  within,
} from "./state.ts";
import { plural } from "../wording.ts";
import { short } from "./words.ts";

/** What the desk answered. */
export function onAnswer(state: State, answer: Answer): Step {
  if (answer.asked.kind === "raw") return onRaw(state, answer);
  // Somebody has gone elsewhere since.
  if (answer.asked.id !== state.busy?.id) return stay(state);
  const free: State = { ...state, busy: null };
  switch (answer.type) {
    case "queued":
      return onQueued(free, answer);
    case "opened":
      return onOpened(free, answer);
    case "said":
      return onSaid(free, answer);
    case "cleaned":
      return onCleaned(free, answer);
    case "failed":
      return onFailed(free, answer);
    case "read":
      return stay(state);
  }
}

type AnswerOf<Type extends Answer["type"]> = Extract<Answer, { readonly type: Type }>;

function onRaw(state: State, answer: Answer): Step {
  const { review } = state;
  if (review === null || answer.asked.kind !== "raw") return stay(state);
  const { entry, digest } = answer.asked;
  if (review.view.entry !== entry || review.view.revision.digest !== digest) return stay(state);
  const raw = answer.type === "read" ? answer.files : { failed: answer.type === "failed" ? answer.message : "" };
  return stay(relaid(state, { ...review, raw }));
}

function onQueued(state: State, { queue, asked: { after } }: AnswerOf<"queued">): Step {
  const next = { ...state, queue: withItems(state.queue, queue) };
  if (after === null) return stay(next);
  const entry = nextAfter(state.queue, next, after);
  if (entry === undefined) return stay({ ...next, screen: "queue", review: null });
  return openEntry(next, entry);
}

/** The same entry stays under the cursor as long as it is there. */
function withItems(before: QueueState | null, { items, more }: Waiting): QueueState {
  const chosen = listed(before)[before?.cursor ?? 0]?.entry;
  const queue: QueueState = { items, more, filter: before?.filter ?? "", cursor: before?.cursor ?? 0 };
  const entries = listed(queue);
  const at = entries.findIndex(({ entry }) => entry === chosen);
  return { ...queue, cursor: within(at < 0 ? queue.cursor : at, entries.length) };
}

/** Of those that came after it in the list, or else of all, the first that waits and was not decided here. */
function nextAfter(before: QueueState | null, { queue, settled }: State, decided: string): string | undefined {
  const waiting = listed(queue).filter(
    ({ entry, current }) => entry !== decided && !settled.has(`${entry} ${current}`),
  );
  const order = listed(before).map(({ entry }) => entry);
  const later = new Set(order.slice(order.indexOf(decided) + 1));
  return (waiting.find(({ entry }) => later.has(entry)) ?? waiting[0])?.entry;
}

function onOpened(state: State, { view, whys, asked: { notice } }: AnswerOf<"opened">): Step {
  const at = listed(state.queue).findIndex(({ entry }) => entry === view.entry);
  const queue = state.queue === null || at < 0 ? state.queue : { ...state.queue, cursor: at };
  const message: Message | null = notice === null ? state.message : { text: notice, tone: "fault" };
  return openReview({ ...state, queue, message }, view, whys);
}

const past: Readonly<Record<Word, string>> = {
  approve: "approved",
  reject: "rejected",
  disable: "disabled",
  override: "overridden in",
};

function onSaid(state: State, { said, asked: { plan } }: AnswerOf<"said">): Step {
  const { act, digest } = plan.saying;
  const text = `${past[act]} ${plan.name} @ ${short(digest)}: it is ${said.standing.state} now`;
  const told: State = { ...state, message: { text, tone: "fine" } };
  // What was only overridden still waits for a word: it is shown as it stands now.
  if (act === "override") return openEntry(told, plan.entry);
  const settled = new Set(state.settled).add(`${plan.entry} ${digest}`);
  return readQueue({ ...told, decided: state.decided + 1, settled }, plan.entry);
}

function onCleaned(state: State, { report: { approved, withGrants, leftOut } }: AnswerOf<"cleaned">): Step {
  const tools = withGrants.length === 0 ? "" : `, ${withGrants.length} of them with pre-approved tools`;
  const left = leftOut.length === 0 ? "" : `; ${leftOut.length} left for a closer look`;
  const text = `approved ${plural(approved.length, "entry", "entries")}${tools}${left}`;
  return readQueue({ ...state, decided: state.decided + approved.length, message: { text, tone: "fine" } });
}

function onFailed(state: State, { asked, isStale, message }: AnswerOf<"failed">): Step {
  // RV-5: what was shown is not there any more, so what is there now is shown, and nothing is decided.
  if (asked.kind === "say" && isStale)
    return openEntry(
      state,
      asked.plan.entry,
      `${asked.plan.name} changed meanwhile: nothing was decided, this is what it is now`,
    );
  if (asked.kind === "open" && asked.notice !== null)
    return tell(state, `${asked.notice}; it cannot be opened: ${message}`, "fault");
  return tell(state, message, "fault");
}
