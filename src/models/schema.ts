import { z } from "zod";
import { count, digest, texts } from "../core/schema.ts";
import { trust } from "../sources/schema.ts";
import { protocols } from "./protocols.ts";

/** Providers, configurations and tasks as they are shown (CO-13, RV-13). What a field may hold says its own check. */

/** An LLM endpoint. Its secret can be set and replaced; no answer has a field for it (RV-12). */
export const provider = z
  .object({
    id: z.string(),
    protocol: z.enum(protocols),
    origin: z.string().describe("The base address; empty where none is needed."),
    models: texts.describe("The models that may be asked for; `*` alone: any."),
    // An older ciphertext does not open for a newer version (T40).
    version: count.describe("Raised with every change of origin or secret."),
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

const threshold = z.number().min(0).max(1).nullable().describe("Null: the router's own.");

/** Which skills a request gets beside the attached ones. A threshold that is null is the chain's own (RT-3). */
export const routing = z.object({
  enabled: z.boolean(),
  accept: threshold,
  margin: threshold,
  // Below this nothing is chosen: `route_floor`.
  floor: threshold,
  // `first` is stable for a conversation.
  routeOn: z.enum(["first", "last"]).describe("The user message that is read."),
});

export type Routing = Readonly<z.infer<typeof routing>>;

/** How an application talks to a model, and with which skills (CO-13). Skills come by attachment. */
export const configuration = z
  .object({
    id: z.string(),
    provider: z.string(),
    model: z.string(),
    systemPrompt: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
    placement: z.enum(["user", "system"]),
    routable: texts.describe(
      "What routing may choose: entries by id, sources as `source:<id>`. Empty: what is attached.",
    ),
    routing: routing.readonly(),
    budget: z.number().int().min(1).describe("Bytes of the whole block."),
    // CO-6: known, skills take at most a part of it.
    contextTokens: z.number().int().min(1).nullable().describe("How much the model can read; null: not known."),
    // CO-1, CO-8
    trustFloor: trust.describe("Entries of less trust are not used."),
    systemFloor: trust.describe("Entries of less trust stay out of the system role."),
  })
  .meta({ id: "Configuration" });

export type Configuration = Readonly<z.infer<typeof configuration>>;

/** What is sent along with every request, such as a temperature. */
export type Parameters = Configuration["parameters"];

/** A prompt kept for repeated use with one configuration (CO-13). Skills come by attachment. */
export const task = z
  .object({
    id: z.string(),
    configuration: z.string(),
    template: z.string().describe("The prompt, with `{{input}}` where the caller's text goes."),
  })
  .meta({ id: "Task" });

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
