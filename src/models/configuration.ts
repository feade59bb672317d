import { z } from "zod";
import { limits } from "../core/limits.ts";
import type { LlmRecord } from "./port.ts";
import { readRecord, type Shown, shownPrompt } from "./records.ts";
import { type Configuration, type ConfigurationSettings, configurationSettings, routing } from "./schema.ts";
import { parseSettings } from "./settings.ts";

/** What a new configuration has where nothing is said. A person's approval is the gate; floors only raise it. */
export const initial: Partial<ConfigurationSettings> = {
  systemPrompt: "",
  parameters: {},
  placement: "user",
  routable: [],
  routing: { enabled: false, accept: null, margin: null, floor: null, routeOn: "first" },
  budget: limits.budget,
  contextTokens: null,
  trustFloor: "untrusted",
  systemFloor: "first_party",
};

const { placement, routable, budget, contextTokens, trustFloor, systemFloor } = configurationSettings.shape;

/** CO-6: not a number or not above 0 is the default, never uncapped. */
const typedSchema = configurationSettings.extend({ budget: budget.catch(limits.budget) });

export function typedConfiguration(typed: unknown, before: Partial<ConfigurationSettings>): ConfigurationSettings {
  return parseSettings(typedSchema, typed, before);
}

const { enabled, accept, margin, floor, routeOn } = routing.shape;
const safestRouting = { enabled: false, accept: 1, margin: 1, floor: 1, routeOn: "first" } as const;

/** How a stored word reads that is missing or unknown: as the safest. What is no word, such as a prompt, is never made up. */
const storedSchema = typedSchema.strip().extend({
  placement: placement.catch("user"),
  routable: routable.catch([]),
  routing: z
    .object({
      enabled: enabled.catch(safestRouting.enabled),
      accept: accept.catch(safestRouting.accept),
      margin: margin.catch(safestRouting.margin),
      floor: floor.catch(safestRouting.floor),
      routeOn: routeOn.catch(safestRouting.routeOn),
    })
    .catch(safestRouting),
  contextTokens: contextTokens.catch(null),
  trustFloor: trustFloor.catch("first_party"),
  systemFloor: systemFloor.catch("first_party"),
});

export function parseConfiguration(stored: LlmRecord): Configuration {
  return { id: stored.id, ...readRecord("configuration", stored, storedSchema) };
}

export function shownConfiguration(settings: ConfigurationSettings): Shown {
  return { ...settings, systemPrompt: shownPrompt(settings.systemPrompt) };
}
