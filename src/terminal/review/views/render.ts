import { areasOf, isTooSmall, smallest, type State } from "../state.ts";
import { windowOf } from "../body.ts";
import { fit, line, type Line, prose, spread, span } from "../../line.ts";
import { renderAsk } from "./ask.ts";
import { helpBody } from "./help.ts";
import { renderQueue, moreOf } from "./queue.ts";
import { renderReview } from "./review.ts";

/** Pure: the whole screen, exactly as many lines as it has rows, none wider than its columns. */
export function render(state: State): readonly Line[] {
  const { columns, rows } = state.size;
  const lines = isTooSmall(state.size)
    ? prose(`make the terminal larger: ${smallest.columns}x${smallest.rows} at least`, Math.max(1, columns))
    : renderScreen(state);
  return Array.from({ length: rows }, (_, index) => fit(lines[index] ?? [], columns));
}

function renderScreen(state: State): Line[] {
  const { ask, review, screen } = state;
  if (ask?.kind === "help") return [...renderHelp(state, ask.top), ...renderFoot(state, "j k scroll  any key closes")];
  const main = screen === "review" && review !== null ? renderReview(state, review) : renderQueue(state);
  if (ask === null) return [...main, ...renderFoot(state, null)];
  const panel = renderAsk(state, ask);
  return [...main.slice(0, main.length - panel.lines.length), ...panel.lines, ...renderFoot(state, panel.keys)];
}

function renderHelp(state: State, top: number): Line[] {
  const { size } = state;
  const height = helpHeight(size);
  const rows = windowOf(helpBody(state), top, height).map((spans) => line(" ").concat(spans));
  const blank = Array.from({ length: height - rows.length }, (): Line => []);
  return [spread(line(" keys", "reverse", "bold"), [], size.columns, "reverse"), ...rows, ...blank];
}

export function helpHeight(size: State["size"]): number {
  return size.rows - 1 - (areasOf(size).isLow ? 1 : 2);
}

const queueKeys = "Enter open  / filter  c approve clean  r refresh  ? help  q leave";
const reviewKeys = "a approve  r reject  o override  ] [ next  n p entry  x decode  / find  ? help  q back";

/** What was just done or is under way, and the keys that mean something. On a low screen one takes the other's place. */
function renderFoot(state: State, asked: string | null): Line[] {
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
  while (shown.length > 2 && shown.reduce((sum, key) => sum + key.length + 2, 0) > columns)
    shown = [...shown.slice(0, -3), ...ends];
  return fit(shown.flatMap(keySpans), columns);
}

function keySpans(key: string): Line {
  const does = key.lastIndexOf(" ", /^\S \S /.test(key) ? undefined : key.indexOf(" "));
  return [span(` ${key.slice(0, does)}`, "bold", "cyan"), span(`${key.slice(does)} `)];
}
