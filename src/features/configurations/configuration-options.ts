import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import { countOption, listOption, textOption } from "../command/call.ts";
import type { Call } from "../command/command.ts";
import { textOrFile } from "../command/text-option.ts";

/** The fields of a configuration that were typed; the others are undefined. */
export async function typedConfiguration(call: Call, files: Files): Promise<Readonly<Record<string, unknown>>> {
  return {
    provider: textOption(call, "provider"),
    model: textOption(call, "model"),
    systemPrompt: await textOrFile(call, files, "system"),
    parameters: typedParameters(listOption(call, "parameter")),
    placement: textOption(call, "placement"),
    routable: listOption(call, "routable"),
    routing: typedRouting(call),
    budget: countOption(call, "budget"),
    contextTokens: typedContext(call),
    trustFloor: textOption(call, "trustFloor"),
    systemFloor: textOption(call, "systemFloor"),
  };
}

/** `unknown` takes back what was said of it. */
function typedContext(call: Call): number | null | undefined {
  return textOption(call, "contextTokens") === "unknown" ? null : countOption(call, "contextTokens");
}

function typedRouting(call: Call): Readonly<Record<string, unknown>> | undefined {
  const route = textOption(call, "route");
  const typed = {
    enabled: route === undefined ? undefined : route === "on",
    accept: typedThreshold(call, "routeAccept"),
    margin: typedThreshold(call, "routeMargin"),
    floor: typedThreshold(call, "routeFloor"),
    routeOn: textOption(call, "routeOn"),
  };
  return Object.values(typed).every((value) => value === undefined) ? undefined : typed;
}

/** `default` is the router's own. */
function typedThreshold(call: Call, name: string): string | null | undefined {
  const text = textOption(call, name);
  return text === "default" ? null : text;
}

function typedParameters(pairs: readonly string[] | undefined): Readonly<Record<string, unknown>> | undefined {
  if (pairs === undefined) return undefined;
  const typed = pairs.map(typedParameter);
  const twice = typed.find(([name], index) => typed.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new AppError("usage.invalid", `--parameter ${safeLine(twice[0], 80)} is given twice`);
  return Object.fromEntries(typed);
}

function typedParameter(pair: string): [name: string, value: unknown] {
  const equals = pair.indexOf("=");
  if (equals > 0) return [pair.slice(0, equals), typedValue(pair.slice(equals + 1))];
  throw new AppError("usage.invalid", `--parameter ${safeLine(pair, 80)}: expected name=value`);
}

/** `0.2` and `true` are what they look like; a text that looks like one is quoted: `'"0.2"'`. */
function typedValue(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
