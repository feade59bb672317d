import { safeLine } from "../../core/text.ts";
import type { Call } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, renderFields, renderFindings, renderTable } from "../command/render.ts";
import { renderSection, renderUnion, shownId } from "../skills/render.ts";
import type { AttachedView } from "./schema-attached.ts";
import type { Attached, ChangedProvider, Configuration, Provider, Routing, Task } from "../../models/schema.ts";

type Style = Output["style"];

export function renderProvider(provider: Provider, style: Style): string {
  const { id, protocol, origin } = provider;
  return renderFields(
    [
      ["provider", id],
      ["protocol", protocol],
      ["origin", origin === "" ? "none: it answers by itself" : origin],
      ["models", modelsOf(provider)],
      ["secret", secretOf(provider)],
    ],
    style,
  );
}

/** One line for each. */
export function renderProviders(providers: readonly Provider[], style: Style): string {
  if (providers.length === 0) return "No providers yet. Add one: skillward provider add <id> --protocol <name>";
  const rows = providers.map((provider) => [
    provider.id,
    provider.protocol,
    secretOf(provider),
    provider.origin || "-",
    safeLine(modelsOf(provider)),
  ]);
  return renderTable(["id", "protocol", "secret", "origin", "models"], rows, style);
}

export function renderChangedProvider({ provider, secretDiscarded }: ChangedProvider, style: Style): string {
  const rendered = renderProvider(provider, style);
  // T43: the secret was meant for the old address and for no other.
  const discarded = `The secret was meant for the old origin and is discarded. Set the new one: skillward provider secret ${provider.id}`;
  return secretDiscarded ? `${rendered}\n\n${style("yellow", discarded)}` : rendered;
}

function modelsOf({ models }: Provider): string {
  if (models.length === 0) return "none";
  return models.includes("*") ? "any" : models.join(", ");
}

/** RV-12: whether there is one, never what it is. */
export function secretOf({ hasSecret, origin }: Provider): string {
  if (origin === "") return "not needed";
  return hasSecret ? "set" : "none";
}

export function renderConfiguration(configuration: Configuration, style: Style): string {
  const { id, provider, model, placement, routable, routing, budget, contextTokens, trustFloor, systemFloor } =
    configuration;
  const parameters = Object.entries(configuration.parameters).map(([name, value]) => `${name}=${value}`);
  const fields = renderFields(
    [
      ["configuration", id],
      ["provider", provider],
      ["model", model],
      ["parameters", safeLine(parameters.join(", ") || "none", 500)],
      ["placement", `in the ${placement} message`],
      ["routing", routingOf(routing)],
      ["routable", safeLine(routable.join(", ") || "what is attached", 500)],
      ["budget", `${budget} bytes`],
      ["context", contextTokens === null ? "not known" : `${contextTokens} tokens`],
      ["trust floor", trustFloor],
      ["system floor", systemFloor],
    ],
    style,
  );
  return [fields, "", renderText("system prompt", configuration.systemPrompt, style)].join("\n");
}

export function renderConfigurations(configurations: readonly Configuration[], style: Style): string {
  if (configurations.length === 0)
    return "No configurations yet. Add one: skillward config add <id> --provider <id> --model <name>";
  const rows = configurations.map(({ id, provider, model, placement, routing, budget }) => [
    id,
    provider,
    model,
    placement,
    routing.enabled ? "on" : "off",
    String(budget),
  ]);
  return renderTable(["id", "provider", "model", "placement", "routing", "budget"], rows, style);
}

/** What is attached is in every prompt: choosing among it adds nothing, and nobody would see why. */
export function hintRouting(output: Output, call: Call, { id, routing, routable }: Configuration): void {
  if (!routing.enabled || routable.length > 0) return;
  const next = `skillward config set ${id} --routable source:<id>`;
  hint(output, call, `Routing has nothing to choose from yet: say what it may choose with ${next}`);
}

function routingOf({ enabled, accept, margin, floor, routeOn }: Routing): string {
  if (!enabled) return "off";
  const thresholds = Object.entries({ accept, margin, floor }).filter(([, value]) => value !== null);
  return ["on", `reads the ${routeOn} message`, ...thresholds.map(([name, value]) => `${name} ${value}`)].join(", ");
}

export function renderTask({ id, configuration, template }: Task, style: Style): string {
  const fields: [string, string][] = [
    ["task", id],
    ["configuration", configuration],
  ];
  return [renderFields(fields, style), "", renderText("template", template, style)].join("\n");
}

export function renderTasks(tasks: readonly Task[], style: Style): string {
  if (tasks.length === 0)
    return "No tasks yet. Add one: skillward task add <id> --configuration <id> --template <text>";
  const rows = tasks.map(({ id, configuration, template }) => [id, configuration, safeLine(template, 60)]);
  return renderTable(["id", "configuration", "template"], rows, style);
}

const mostLines = 20;

/** The beginning of a text somebody wrote, line by line and made safe; what is left out is said. */
function renderText(heading: string, text: string, style: Style): string {
  if (text === "") return `${style("dim", heading)}  none`;
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, mostLines).map((line) => `  ${safeLine(line, 240)}`.trimEnd());
  const rest =
    lines.length > mostLines ? [style("dim", `  … ${lines.length - mostLines} more lines; --json has all`)] : [];
  return [style("dim", heading), ...shown, ...rest].join("\n");
}

/** A configuration or a task, and below it the skills on it with what they reach for together. */
export function renderWithAttached(
  target: string,
  { attached, capabilities, findings }: AttachedView,
  style: Style,
): string {
  return [
    target,
    "",
    renderAttached(attached, style),
    ...renderUnion(capabilities, style),
    ...renderSection("Findings", renderFindings(findings, style), style),
  ].join("\n");
}

/** RV-14: all of them in their order; what cannot be used is marked, with its reason. */
export function renderAttached(attached: readonly Attached[], style: Style): string {
  if (attached.length === 0) return `${style("dim", "skills")}  none`;
  const width = Math.max(...attached.map(({ entry }) => shownId(entry).length));
  const lines = attached.map(({ entry, usable, state, reason }) => {
    const mark = usable ? style("green", "✓") : style("red", "✗");
    const standing = state.padEnd(8);
    const shown = usable ? standing : style("red", standing);
    return `  ${mark} ${shownId(entry).padEnd(width)}  ${shown}  ${style("dim", safeLine(reason, 240))}`;
  });
  const unusable = attached.filter(({ usable }) => !usable).length;
  const sum = unusable === 0 ? [] : [`  ${unusable} of ${attached.length} cannot be used now and will be left out`];
  return [style("dim", "skills"), ...lines, ...sum].join("\n");
}
