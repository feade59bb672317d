import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { jsonWithoutOrders, renderVisibleJson, withoutOrders } from "../command/safe-output.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFields, renderFindings, renderTable } from "../command/render.ts";
import type { ExplainedCall, ScopeView } from "./schema.ts";

type Style = Output["style"];

/** As `show`, and nothing of what authors wrote can move a terminal, in JSON neither (T34). */
export function showVisible<Value>(
  output: Output,
  { options }: Call,
  value: Value,
  render: (value: Value) => string,
): void {
  output.print(options["json"] === true ? jsonWithoutOrders(renderVisibleJson(value)) : withoutOrders(render(value)));
}

/** `isGiven`: the tools are a host's own, and not only those that skills name. */
export function renderScope(view: ScopeView, isGiven: boolean, style: Style): string {
  const { tools, findings } = view;
  const rows = tools.map(({ name, decision, why }) => [
    safeLine(name, 64),
    style(decision === "allow" ? "green" : "red", decision.padEnd(8)),
    safeLine(why, 200),
  ]);
  return [
    renderFields(fieldsOf(view, isGiven), style),
    ...(rows.length === 0 ? [] : ["", renderTable(["TOOL", "DECISION", "WHY"], rows, style)]),
    ...noticed(findings, style),
  ].join("\n");
}

function fieldsOf({ skills, allowed, forbidden, groups, protocol }: ScopeView, isGiven: boolean): [string, string][] {
  return [
    ["skills", listed(skills)],
    ["allowed", !isGiven && isOpen(groups, forbidden) ? "all that the host has" : listed(allowed)],
    ["forbidden", listed(forbidden)],
    ["groups", groups.map(({ skills: together }) => `{ ${listed(together)} }`).join("  ")],
    ...protocol.map((step, index): [string, string] => [
      index === 0 ? "steps" : "",
      `${index + 1}. ${safeLine(step, 120)}`,
    ]),
  ];
}

/** Nothing is taken away: then the tools that are known here are not the point. */
function isOpen(groups: ScopeView["groups"], forbidden: ScopeView["forbidden"]): boolean {
  return groups.length > 0 && forbidden.length === 0 && groups.every(({ allowed }) => allowed === "*");
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.map((item) => safeLine(item, 240)).join(", ");
}

export function renderCheck(
  { skills, findings }: Pick<ScopeView, "skills" | "findings">,
  isUsable: boolean,
  style: Style,
): string {
  const verdict = isUsable
    ? style("green", `${plural(skills.length, "skill")} can be used together: ${listed(skills)}`)
    : style("red", "These skills cannot be used together.");
  return [verdict, ...renderFindings(findings, style)].join("\n");
}

export function renderExplained(
  { call, decision, code, why, argv, groups, forbidden, findings }: ExplainedCall,
  style: Style,
): string {
  const steps = groups.map(({ skills, fits }) => [
    listed(skills),
    fits === null ? style("red", "nothing that fits") : safeLine(fits, 120),
  ]);
  return [
    renderFields(
      [
        ["call", safeLine(call, 240)],
        ["decision", `${style(decision === "allow" ? "green" : "red", decision)}${code === null ? "" : ` ${code}`}`],
        ["why", safeLine(why, 400)],
        ...(argv === null ? [] : [["runs as", JSON.stringify(argv)] satisfies [string, string]]),
        ...forbidden.map(({ entry, by }): [string, string] => [
          "forbidden",
          `${safeLine(entry, 120)} by ${listed(by)}`,
        ]),
      ],
      style,
    ),
    "",
    renderTable(["GROUP", "ALLOWS IT BY"], steps, style),
    ...noticed(findings, style),
  ].join("\n");
}

function noticed(findings: readonly Finding[], style: Style): string[] {
  return findings.length === 0 ? [] : ["", style("dim", "findings"), ...renderFindings(findings, style)];
}
