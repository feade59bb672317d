import { isRecord } from "../core/json/json.ts";
import type { Shape } from "./fields.ts";
import type { Parameters } from "./schema.ts";

/** What a request says by itself. As a parameter, `model` would pass by the provider's list of models. */
const reserved: readonly string[] = [
  "model",
  "models",
  "messages",
  "prompt",
  "input",
  "contents",
  "system",
  "instructions",
  "stream",
  "tools",
];

const mostParameters = 32;

export const parametersShape: Shape<Parameters> = {
  expected:
    `an object of at most ${mostParameters} texts, numbers, true or false by name, ` +
    `none of them ${reserved.join(", ")}`,
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const given = Object.entries(value);
    if (given.length > mostParameters) return undefined;
    const read = given.flatMap(([name, each]) => (isName(name) && isPlain(each) ? [[name, each] as const] : []));
    return read.length === given.length ? Object.fromEntries(read) : undefined;
  },
};

function isName(name: string): boolean {
  return /^[a-z][a-z0-9_.-]{0,63}$/i.test(name) && !reserved.includes(name.toLowerCase());
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === "string") return value.length <= 1024 && value.isWellFormed();
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}
