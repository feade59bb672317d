import { areasOf } from "../areas.ts";
import { windowOf } from "../body.ts";
import { fit, line, type Line, prose, spread } from "../../line.ts";
import { isTooSmall, smallest, type State } from "../state.ts";
import { renderAsk } from "./ask.ts";
import { renderFoot } from "./foot.ts";
import { helpBody } from "./help.ts";
import { renderQueue } from "./queue.ts";
import { renderReview } from "./review.ts";

/** Pure: the whole screen, exactly as many lines as it has rows, none wider than its columns. */
export function render(state: State): readonly Line[] {
  const { columns, rows } = state.size;
  const lines = isTooSmall(state.size) ? smallLines(columns) : renderScreen(state);
  return Array.from({ length: rows }, (_, index) => fit(lines[index] ?? [], columns));
}

function smallLines(columns: number): Line[] {
  return prose(`make the terminal larger: ${smallest.columns}x${smallest.rows} at least`, Math.max(1, columns));
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
