import { z } from "zod";
import { isSourceId, parseEntryId } from "../core/ids.ts";
import { count, digest } from "../core/schema.ts";
import { trusts } from "../sources/trust.ts";
import { longestOrigin, normalOrigin } from "./origin.ts";
import { protocols } from "./protocols.ts";

// Providers, configurations and tasks (CO-13, RV-13): the type, the check of what people set and of what the store holds,
// and what the API says of them. A message completes the name of the field that it refuses.

/** `expected` completes the sentence that refuses any other text. */
function textThat(most: number, isValid: (text: string) => boolean, expected: string) {
  const error = `expected ${expected}`;
  return z.string({ error }).max(most, { error, abort: true }).refine(isValid, { error });
}

function wordOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `expected one of ${words.join(", ")}` });
}

/** A list without repetition. */
function listOf<Item extends z.ZodType>(item: Item, most: number, expected: string) {
  const error = `expected a list of at most ${most}, each ${expected}`;
  return z
    .array(item, { error })
    .max(most, { error })
    .overwrite((items) => [...new Set(items)]);
}

/** One pattern for the ids of sources, providers, configurations and tasks. */
export const recordId = textThat(64, isSourceId, "lowercase letters, digits and single hyphens, at most 64");

const longestText = 256 * 1024;

const longText = textThat(
  longestText,
  (text) => text.isWellFormed() && Buffer.byteLength(text) <= longestText,
  `text of at most ${longestText} bytes`,
);

const modelSentence = "a model's name: printable ASCII without blanks, at most 128";
const isPrintable = (text: string) => /^[!-~]{1,128}$/.test(text);

/** A model's name as it is sent; the star stands for all of them and is none itself. */
export const modelName = textThat(128, (text) => isPrintable(text) && text !== "*", modelSentence);

const modelNames = listOf(textThat(128, isPrintable, modelSentence), 500, modelSentence)
  .refine((names) => names.length === 1 || !names.includes("*"), {
    error: `expected a list of models' names, or "*" alone for any`,
  })
  .readonly()
  .describe("The models that may be asked for; `*` alone: any.");

export const addressSentence =
  "https://host[:port][/path] without user name, query or fragment, an address written out (127.0.0.1); " +
  "http only for localhost, 127.x.x.x or [::1]";

/** RV-13: where a provider is; empty for a protocol that answers by itself. */
const origin = textThat(longestOrigin, (text) => text === "" || normalOrigin(text) !== undefined, addressSentence)
  .overwrite((text) => normalOrigin(text) ?? text)
  .describe("The base address, such as `https://api.example.com/v1`; empty where none is needed.");

export const providerSecret = textThat(
  4096,
  (text) => /^[!-~]{1,4096}$/.test(text),
  "printable ASCII without blanks, at most 4096 characters",
).describe("Kept encrypted for this origin, and never read back.");

/** What an admin says of an endpoint. A provider that speaks another protocol is another provider. */
export const providerSettings = z.strictObject({ protocol: wordOf(protocols), origin, models: modelNames });

export type ProviderSettings = Readonly<z.infer<typeof providerSettings>>;

/** An LLM endpoint. Its secret can be set and replaced; no answer has a field for it (RV-12). */
export const provider = z
  .object({
    id: z.string(),
    ...providerSettings.shape,
    // An older ciphertext does not open for a newer version (T40).
    version: count.min(1).describe("Raised with every change of origin or secret."),
    hasSecret: z.boolean(),
  })
  .meta({ id: "Provider" });

export type Provider = Readonly<z.infer<typeof provider>>;

export const changedProvider = z
  .object({
    provider,
    // T43
    secretDiscarded: z
      .boolean()
      .describe("The origin moved, and the secret was meant for the old one: it has to be set anew."),
  })
  .meta({ id: "ChangedProvider" });

export type ChangedProvider = Readonly<z.infer<typeof changedProvider>>;

const thresholdError = { error: "expected a number from 0 to 1, or null for the router's own" };
const threshold = z
  .number(thresholdError)
  .min(0, thresholdError)
  .max(1, thresholdError)
  .nullable()
  .describe("From 0 to 1; null: the router's own.");

/** Which skills a request gets beside the attached ones. A threshold that is null is the chain's own (RT-3). */
export const routing = z.strictObject(
  {
    enabled: z.boolean({ error: "expected true or false" }),
    accept: threshold,
    margin: threshold,
    // Below this nothing is chosen: `route_floor`.
    floor: threshold,
    // `first` is stable for a conversation.
    routeOn: wordOf(["first", "last"]).describe("The user message that is read."),
  },
  { error: "expected an object with named fields" },
);

export type Routing = Readonly<z.infer<typeof routing>>;

/** `source:x` is always the source x. */
function isRoutable(text: string): boolean {
  const parts = parseEntryId(text);
  return parts !== undefined && (parts.source !== "source" || isSourceId(parts.path));
}

const routableSentence = "an entry's id (<source>:<path>) or source:<id>";

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

function areParameters(named: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(named);
  return names.length <= mostParameters && names.every(isParameterName);
}

function isParameterName(name: string): boolean {
  return /^[a-z][a-z0-9_.-]{0,63}$/i.test(name) && !reserved.includes(name.toLowerCase());
}

const parametersError = {
  error:
    `expected an object of at most ${mostParameters} texts, numbers, true or false by name, ` +
    `none of them ${reserved.join(", ")}`,
};

const parameterError = { error: "expected text of at most 1024 characters, a number, true or false" };

const parameter = z.union(
  [
    z
      .string(parameterError)
      .max(1024, parameterError)
      .refine((text) => text.isWellFormed(), parameterError),
    z.number(),
    z.boolean(),
  ],
  parameterError,
);

const tokensError = { error: "expected a whole number of tokens above 0, or null when it is not known" };
const bytesError = { error: "expected a whole number of bytes above 0" };

/** How an application talks to a model, and with which skills (CO-13). Skills come by attachment. */
export const configurationSettings = z.strictObject({
  provider: recordId,
  model: modelName,
  systemPrompt: longText,
  parameters: z.record(z.string(), parameter, parametersError).refine(areParameters, parametersError).readonly(),
  placement: wordOf(["user", "system"]),
  routable: listOf(textThat(1024, isRoutable, routableSentence), 1000, routableSentence)
    .readonly()
    .describe("What routing may choose: entries by id, sources as `source:<id>`. Empty: what is attached."),
  routing,
  budget: z.number(bytesError).int(bytesError).min(1, bytesError).describe("Bytes of the whole block."),
  // CO-6: known, skills take at most a part of it.
  contextTokens: z
    .number(tokensError)
    .int(tokensError)
    .min(1, tokensError)
    .nullable()
    .describe("How much the model can read; null: not known."),
  // CO-1, CO-8
  trustFloor: wordOf(trusts).describe("Entries of less trust are not used."),
  systemFloor: wordOf(trusts).describe("Entries of less trust stay out of the system role."),
});

export type ConfigurationSettings = Readonly<z.infer<typeof configurationSettings>>;

export const configuration = z.object({ id: z.string(), ...configurationSettings.shape }).meta({ id: "Configuration" });

export type Configuration = Readonly<z.infer<typeof configuration>>;

/** What is sent along with every request, such as a temperature. */
export type Parameters = Configuration["parameters"];

/** A prompt kept for repeated use with one configuration (CO-13). Skills come by attachment. */
export const taskSettings = z.strictObject({
  configuration: recordId,
  template: longText.describe("The prompt, with `{{input}}` where the caller's text goes."),
});

export const task = z.object({ id: z.string(), ...taskSettings.shape }).meta({ id: "Task" });

export type Task = Readonly<z.infer<typeof task>>;

/** A skill on a configuration (house style) or on a task (specifics), and whether it can be used as it stands. */
export const attached = z
  .object({
    entry: z.string(),
    usable: z.boolean(),
    state: z.string().describe("As in the registry; `missing` when it has no such entry any more."),
    inUse: digest.nullable().describe("The approved revision that may be used; null: none."),
    reason: z.string(),
  })
  .meta({ id: "Attached" });

export type Attached = Readonly<z.infer<typeof attached>>;
