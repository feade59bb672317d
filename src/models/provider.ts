import { z } from "zod";
import { canonicalJson } from "../core/canonical.ts";
import { count } from "../core/schema.ts";
import { isSealed, type Keys, sealText } from "../registry/keys.ts";
import type { LlmRecord } from "./port.ts";
import type { Protocol } from "./protocols.ts";
import { readRecord } from "./records.ts";
import { addressSentence, modelName, type Provider, type ProviderSettings, providerSettings } from "./schema.ts";
import { invalid, parseSettings } from "./settings.ts";

export function allowsModel({ models }: Provider, model: string): boolean {
  return modelName.safeParse(model).success && (models.includes("*") || models.includes(model));
}

export function typedProvider(typed: unknown): ProviderSettings {
  return withItsAddress(parseSettings(providerSettings, typed, { origin: "", models: [] }));
}

const changeable = providerSettings.omit({ protocol: true });

/** Of `before` may be missing what cannot be believed: that has to be set anew. */
export function changedSettings(
  typed: unknown,
  { protocol, ...before }: Pick<ProviderSettings, "protocol"> & Partial<ProviderSettings>,
): ProviderSettings {
  const usual = needsNoAddress(protocol) ? { origin: "" } : {};
  return withItsAddress({ protocol, ...parseSettings(changeable, typed, { ...usual, ...before }) });
}

function withItsAddress(settings: ProviderSettings): ProviderSettings {
  if (hasItsAddress(settings)) return settings;
  const expected = needsNoAddress(settings.protocol)
    ? "nothing: this protocol answers by itself and has no address"
    : addressSentence;
  throw invalid("origin", expected);
}

/** Protocols that answer from within have no address (CO-18). */
function hasItsAddress({ protocol, origin }: ProviderSettings): boolean {
  return needsNoAddress(protocol) === (origin === "");
}

function needsNoAddress(protocol: Protocol): boolean {
  return protocol === "echo" || protocol === "scripted";
}

/** An address cannot be guessed, nor a protocol (IN-1); of models, none is the safest. */
const storedSchema = providerSettings
  .strip()
  .extend({ models: providerSettings.shape.models.catch([]), version: count.min(1), seal: z.string().catch("") })
  .refine(hasItsAddress);

export function parseProvider(stored: LlmRecord): Provider {
  const { seal: _, ...settings } = readRecord("provider", stored, storedSchema);
  return { id: stored.id, ...settings, hasSecret: stored.secret !== null };
}

export function shownProvider({ protocol, origin, models }: Provider): ProviderSettings {
  return { protocol, origin, models };
}

/** Sealed, so that a row that was written by hand sends nothing anywhere (T43). */
export function providerRecord(provider: Provider, secret: string | null, keys: Keys): LlmRecord {
  const { id, version } = provider;
  const seal = sealText(keys, sealedText({ ...provider, hasSecret: secret !== null }));
  return { id, record: canonicalJson({ ...shownProvider(provider), version, seal }), secret };
}

/** Whether the row says what an admin said, its secret set or not as they left it. */
export function isIntactProvider(keys: Keys, stored: LlmRecord): boolean {
  const { seal } = readRecord("provider", stored, storedSchema);
  return isSealed(keys, sealedText(parseProvider(stored)), seal);
}

function sealedText(provider: Provider): string {
  const { id, version, hasSecret } = provider;
  return `provider ${canonicalJson({ id, version, hasSecret, ...shownProvider(provider) })}`;
}
