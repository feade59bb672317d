import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Composition, Dropped, DropReason, Included } from "../../compose/composition.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFields, renderFindings, renderTable, short } from "../command/render.ts";
import { shownId } from "../skills/render.ts";

type Style = Output["style"];

/** What `compose` answers with (CO-7): the composition, counted, and where it stands. */
export interface ComposedView extends Composition {
  /** Of both blocks, exactly, for models of the o200k vocabulary. */
  readonly tokens: number;
  /** With a store: the generation it was composed from. */
  readonly generation?: number;
  /** With `--prompt`: the prompt as it would be sent. */
  readonly prompt?: string;
}

/** What a person wants to know beside the block: how large it is, what is in it, what is not and why. */
export function renderComposed(view: ComposedView, budget: number, style: Style): string {
  const { included, dropped, findings } = view;
  return [
    renderFields(fieldsOf(view, budget), style),
    ...(included.length === 0 ? [] : ["", renderIncluded(included, style)]),
    ...(dropped.length === 0 ? [] : ["", renderDropped(dropped, style)]),
    ...(findings.length === 0 ? [] : ["", renderNoticed(findings, style)]),
  ].join("\n");
}

function fieldsOf(view: ComposedView, budget: number): [string, string][] {
  const { bytes, tokens, digest, included, dropped, generation, systemBlock } = view;
  const system = systemBlock === "" ? "" : `, ${Buffer.byteLength(systemBlock)} of them for the system message`;
  return [
    ["block", `${bytes} of ${budget} bytes, ${plural(tokens, "token")} (o200k)${system}`],
    ["digest", short(digest)],
    ["skills", `${included.length} included, ${dropped.length} dropped`],
    ...(generation === undefined ? [] : [["generation", String(generation)] satisfies [string, string]]),
  ];
}

function renderIncluded(included: readonly Included[], style: Style): string {
  const heading = ["INCLUDED", "ENTRY", "DIGEST", "TRUST", "VIA", "PLACE", "BYTES"];
  const rows = included.map(({ name, entry, digest, trust, via, place, bytes }) => [
    safeLine(name, 64),
    shownId(entry),
    short(digest),
    trust,
    via,
    place,
    String(bytes),
  ]);
  return renderTable(heading, rows, style);
}

const reasons: Readonly<Record<DropReason, string>> = {
  unusable: "cannot be used",
  "below-floor": "trusted less than the floor",
  tampered: "not the approved bytes",
  "too-large": "alone larger than the budget",
  "over-budget": "no room left",
};

function renderDropped(dropped: readonly Dropped[], style: Style): string {
  const rows = dropped.map(({ entry, digest, via, why }) => [
    shownId(entry),
    digest === null ? "none" : short(digest),
    via,
    reasons[why],
  ]);
  return renderTable(["DROPPED", "DIGEST", "VIA", "WHY"], rows, style);
}

function renderNoticed(findings: readonly Finding[], style: Style): string {
  return [style("dim", "findings"), ...renderFindings(findings, style)].join("\n");
}
