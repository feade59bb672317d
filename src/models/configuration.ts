import { parseEntryId, isSourceId } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import { trusts } from "../sources/trust.ts";
import { type Fields, idShape, listShape, numberOf, oneOf, type Shape, switchShape, textShape } from "./fields.ts";
import { parametersShape } from "./parameters.ts";
import type { LlmRecord } from "./port.ts";
import { modelShape } from "./provider.ts";
import { readRecord, type Shown, shownPrompt } from "./records.ts";
import type { Configuration, Routing } from "./schema.ts";

export type ConfigurationFields = Omit<Configuration, "id">;

const defaultBudget = limits.budget;

/** What a new configuration has where nothing is said. A person's approval is the gate; floors only raise it. */
export const initial: Partial<ConfigurationFields> = {
  systemPrompt: "",
  parameters: {},
  placement: "user",
  routable: [],
  routing: { enabled: false, accept: null, margin: null, floor: null, routeOn: "first" },
  budget: defaultBudget,
  contextTokens: null,
  trustFloor: "untrusted",
  systemFloor: "first_party",
};

/** How a stored word reads that is missing or unknown. What is no word, such as a prompt, is never made up. */
const safest: Partial<ConfigurationFields> = {
  placement: "user",
  routable: [],
  routing: { enabled: false, accept: 1, margin: 1, floor: 1, routeOn: "first" },
  budget: defaultBudget,
  contextTokens: null,
  trustFloor: "first_party",
  systemFloor: "first_party",
};

export function parseConfiguration(stored: LlmRecord): Configuration {
  return { id: stored.id, ...configurationFields(readRecord("configuration", stored), safest) };
}

/** The fields of CO-13, typed or stored; `otherwise` is what holds where one is not said. */
export function configurationFields(fields: Fields, otherwise: Partial<ConfigurationFields>): ConfigurationFields {
  return {
    provider: fields.take("provider", idShape, otherwise.provider),
    model: fields.take("model", modelShape, otherwise.model),
    systemPrompt: fields.take("systemPrompt", textShape, otherwise.systemPrompt),
    parameters: fields.take("parameters", parametersShape, otherwise.parameters),
    placement: fields.take("placement", oneOf(["user", "system"]), otherwise.placement),
    routable: fields.take("routable", listShape(routableShape, 1000), otherwise.routable),
    routing: routingFields(fields.within("routing", routingNames), otherwise.routing ?? {}),
    budget: fields.take("budget", budgetShape, otherwise.budget),
    contextTokens: fields.take("contextTokens", contextShape, otherwise.contextTokens),
    trustFloor: fields.take("trustFloor", oneOf(trusts), otherwise.trustFloor),
    systemFloor: fields.take("systemFloor", oneOf(trusts), otherwise.systemFloor),
  };
}

export const configurationNames: readonly string[] = ["provider", "model", ...Object.keys(initial)];
const routingNames = Object.keys(initial.routing ?? {});

function routingFields(fields: Fields, otherwise: Partial<Routing>): Routing {
  return {
    enabled: fields.take("enabled", switchShape, otherwise.enabled),
    accept: fields.take("accept", thresholdShape, otherwise.accept),
    margin: fields.take("margin", thresholdShape, otherwise.margin),
    floor: fields.take("floor", thresholdShape, otherwise.floor),
    routeOn: fields.take("routeOn", oneOf(["first", "last"]), otherwise.routeOn),
  };
}

/** `source:x` is always the source x. */
const routableShape: Shape<string> = {
  expected: "an entry's id (<source>:<path>) or source:<id>",
  read: (value) => (typeof value === "string" && value.length <= 1024 && isRoutable(value) ? value : undefined),
};

function isRoutable(text: string): boolean {
  const parts = parseEntryId(text);
  return parts !== undefined && (parts.source !== "source" || isSourceId(parts.path));
}

const thresholdShape: Shape<number | null> = {
  expected: "a number from 0 to 1, or null for the router's own",
  read: (value) => {
    if (value === null) return null;
    const number = numberOf(value);
    return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
  },
};

/** CO-6: missing, not a number or not above 0 is the default, never uncapped. */
const budgetShape: Shape<number> = {
  expected: "a number of bytes",
  read: (value) => {
    const bytes = numberOf(value) ?? 0;
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : defaultBudget;
  },
};

const contextShape: Shape<number | null> = {
  expected: "a whole number of tokens above 0, or null when it is not known",
  read: (value) => {
    if (value === null) return null;
    const tokens = numberOf(value);
    return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
  },
};

export function shownConfiguration(fields: ConfigurationFields): Shown {
  return { ...fields, systemPrompt: shownPrompt(fields.systemPrompt) };
}
