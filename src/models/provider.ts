import { canonicalJson } from "../core/canonical.ts";
import { isSealed, type Keys, sealText } from "../registry/keys.ts";
import { type Fields, listShape, oneOf, type Shape, textShape } from "./fields.ts";
import { noOriginShape, originShape } from "./origin.ts";
import type { LlmRecord } from "./port.ts";
import { protocols } from "./protocols.ts";
import { readRecord } from "./records.ts";
import type { Provider } from "./schema.ts";

/** What an admin says of an endpoint. A provider that speaks another protocol is another provider. */
type ProviderFields = Pick<Provider, "protocol" | "origin" | "models">;

export function allowsModel({ models }: Provider, model: string): boolean {
  return modelShape.read(model) !== undefined && (models.includes("*") || models.includes(model));
}

export function parseProvider(stored: LlmRecord): Provider {
  const fields = readRecord("provider", stored);
  const version = fields.take("version", versionShape, undefined);
  // An address cannot be guessed, nor a protocol (IN-1); of models, none is the safest.
  return { id: stored.id, ...providerFields(fields, { models: [] }), version, hasSecret: stored.secret !== null };
}

/** What is said of a provider, typed or stored. */
export function providerFields(fields: Fields, otherwise: Partial<ProviderFields>): ProviderFields {
  const protocol = fields.take("protocol", oneOf(protocols), otherwise.protocol);
  const isOurs = protocol === "echo" || protocol === "scripted";
  const origin = isOurs
    ? fields.take("origin", noOriginShape, "")
    : fields.take("origin", originShape, otherwise.origin);
  return { protocol, origin, models: fields.take("models", modelsShape, otherwise.models) };
}

export function shownProvider({ protocol, origin, models }: Provider): ProviderFields {
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
  const seal = readRecord("provider", stored).take("seal", textShape, "");
  return isSealed(keys, sealedText(parseProvider(stored)), seal);
}

function sealedText(provider: Provider): string {
  const { id, version, hasSecret } = provider;
  return `provider ${canonicalJson({ id, version, hasSecret, ...shownProvider(provider) })}`;
}

/** A model's name as it is sent; the star stands for all of them and is none itself. */
export const modelShape: Shape<string> = {
  expected: "a model's name: printable ASCII without blanks, at most 128",
  read: (value) => (typeof value === "string" && /^[!-~]{1,128}$/.test(value) && value !== "*" ? value : undefined),
};

const namesShape = listShape(modelShape, 500);

const modelsShape: Shape<readonly string[]> = {
  expected: `${namesShape.expected}; or "*" alone for any`,
  read: (value) => (Array.isArray(value) && value.length === 1 && value[0] === "*" ? ["*"] : namesShape.read(value)),
};

const versionShape: Shape<number> = {
  expected: "a whole number above 0",
  read: (value) => (typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined),
};
