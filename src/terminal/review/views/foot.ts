import { areasOf } from "../areas.ts";
import { fit, type Line, span } from "../../line.ts";
import type { State } from "../state.ts";
import { moreOf } from "./queue.ts";

const queueKeys = "Enter open  / filter  c approve clean  r refresh  ? help  q leave";
const reviewKeys = "a approve  r reject  o override  ] [ next  n p entry  x decode  / find  ? help  q back";

/** What was just done or is under way, and the keys that mean something. On a low screen one takes the other's place. */
export function renderFoot(state: State, asked: string | null): Line[] {
  const { columns } = state.size;
  const keys = keysOf(asked ?? (state.screen === "queue" ? queueKeys : reviewKeys), columns);
  const message = messageOf(state);
  if (!areasOf(state.size).isLow) return [fit(message, columns), keys];
  const isPressing = asked === null ? message.length > 0 : state.message?.tone === "fault";
  return [isPressing ? fit(message, columns) : keys];
}

function messageOf(state: State): Line {
  if (state.busy !== null) return [span(` ${state.busy.what}…`, "yellow")];
  if (state.message === null)
    return state.screen === "queue" && moreOf(state) !== "" ? [span(` ${moreOf(state)}`, "dim")] : [];
  const { text, tone } = state.message;
  return tone === "fault" ? [span(" ! ", "red", "bold"), span(text, "red")] : [span(` ${text}`, "green")];
}

/** Only keys that fit as a whole; help and the way out stay. */
function keysOf(keys: string, columns: number): Line {
  const all = keys.split("  ");
  const ends = all.slice(-2);
  let shown = all;
  while (shown.length > 2 && widthOf(shown) > columns) shown = [...shown.slice(0, -3), ...ends];
  return fit(shown.flatMap(keySpans), columns);
}

function widthOf(keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + key.length + 2, 0);
}

function keySpans(key: string): Line {
  const does = key.lastIndexOf(" ", isTwoKeys(key) ? undefined : key.indexOf(" "));
  return [span(` ${key.slice(0, does)}`, "bold", "cyan"), span(`${key.slice(does)} `)];
}

function isTwoKeys(key: string): boolean {
  return /^\S \S /.test(key);
}
