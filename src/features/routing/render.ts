import { safeLine } from "../../core/text.ts";
import type { TraceStep } from "../../routing/routed.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFindings, renderTable } from "../command/render.ts";
import { shownId } from "../skills/render.ts";
import type { RouteView } from "./route-query.ts";
import type { Triggers } from "../../routing/schema.ts";
import type { TriggerList } from "./schema.ts";

type Style = Output["style"];

/** The matches with their evidence; explained, how they were found as well. */
export function renderRoute(view: RouteView, isExplained: boolean, style: Style): string {
  return [
    ...renderMatches(view, style),
    ...(isExplained ? ["", ...renderTrace(view, style)] : []),
    ...(view.findings.length === 0 ? [] : ["", ...renderFindings(view.findings, style)]),
  ].join("\n");
}

function renderMatches(view: RouteView, style: Style): string[] {
  if (view.abstained) return [`${style("yellow", "No skill fits")}: ${whyNone(view)}.`];
  const note = view.ambiguous ? [style("yellow", "Too close to call: the first ones fit about equally well.")] : [];
  return [
    ...note,
    ...view.matches.flatMap(({ name, entry, confidence, link, why, alike }) => [
      `${style("green", shown(confidence))}  ${style("bold", safeLine(name, 80))}  ${style("dim", safeLine(entry, 240))}`,
      `      ${link}: ${safeLine(why, 240)}`,
      ...(alike.length === 0 ? [] : [`      ${style("dim", `alike: ${listed(alike)}`)}`]),
    ]),
  ];
}

function whyNone({ trace }: RouteView): string {
  const [best] = trace.ranked;
  if (best === undefined) return safeLine(trace.stopped, 240);
  const nearest = `the nearest is ${safeLine(best.entry, 120)} at ${shown(best.confidence)}`;
  return `${nearest}, and that any fits is ${shown(trace.likelihood)} likely, below the floor of ${shown(trace.thresholds.floor)}`;
}

function renderTrace({ trace }: RouteView, style: Style): string[] {
  const { accept, margin, floor } = trace.thresholds;
  return [
    style("bold", "How"),
    renderTable(
      ["link", "outcome", "time", "said"],
      trace.steps.map((step) => [step.link, step.outcome, `${step.milliseconds.toFixed(1)} ms`, saidBy(step)]),
      style,
    ),
    ...trace.steps.flatMap((step) => renderSaid(step, style)),
    "",
    `${style("bold", "Stopped")}  ${safeLine(trace.stopped, 240)}`,
    style("dim", `accept ${shown(accept)}, margin ${shown(margin)}, floor ${shown(floor)}`),
  ];
}

function saidBy({ said, note }: TraceStep): string {
  const skills = said.length === 0 ? "nothing" : plural(said.length, "skill");
  return note === null ? skills : `${skills}; ${safeLine(note, 160)}`;
}

const mostSaid = 5;

function renderSaid({ link, said }: TraceStep, style: Style): string[] {
  if (said.length === 0) return [];
  return [
    "",
    style("bold", link),
    ...said
      .slice(0, mostSaid)
      .map(
        ({ entry, confidence, why }) =>
          `  ${shown(confidence)}  ${safeLine(entry, 120)}  ${style("dim", safeLine(why, 200))}`,
      ),
  ];
}

function shown(confidence: number): string {
  return confidence.toFixed(2);
}

const mostListed = 5;

function listed(entries: readonly string[]): string {
  const more = entries.length - mostListed;
  const names = entries.slice(0, mostListed).map((entry) => safeLine(entry, 120));
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** All of them, by entry. */
export function renderTriggerList({ triggers }: TriggerList, style: Style): string {
  if (triggers.length === 0) return 'No triggers yet. Set one: skillward trigger add <skill> "<phrase>"';
  const rows = triggers.flatMap(({ entry, state, phrases }) =>
    phrases.map((phrase) => [shownId(entry), state, safeLine(phrase, 240)]),
  );
  return renderTable(["entry", "state", "phrase"], rows, style);
}

/** What an entry has after a change. */
export function renderTriggers({ entry, phrases }: Triggers, style: Output["style"]): string {
  if (phrases.length === 0) return `${shownId(entry)} has no triggers now`;
  const lines = phrases.map((phrase) => `  ${safeLine(phrase, 240)}`);
  return [style("dim", `triggers of ${shownId(entry)}`), ...lines].join("\n");
}
