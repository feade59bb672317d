import { safeLine } from "../../base/text.ts";
import type { Triggers } from "../../use/route/admin-triggers.ts";
import type { Output } from "./output.ts";
import { shownId } from "./render-registry.ts";

/** What an entry has after a change. */
export function renderTriggers({ entry, phrases }: Triggers, style: Output["style"]): string {
  if (phrases.length === 0) return `${shownId(entry)} has no triggers now`;
  const lines = phrases.map((phrase) => `  ${safeLine(phrase, 240)}`);
  return [style("dim", `triggers of ${shownId(entry)}`), ...lines].join("\n");
}
