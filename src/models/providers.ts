import { AppError } from "../core/error.ts";
import { encrypt } from "../registry/keys.ts";
import { demandProviders, type LlmAdmin, type LlmContext } from "./context.ts";
import {
  changedSettings,
  isIntactProvider,
  parseProvider,
  providerRecord,
  shownProvider,
  typedProvider,
} from "./provider.ts";
import { demandFreeId, demandRecord, difference, recordChange, removeRecord, type Writes } from "./records.ts";
import { type ChangedProvider, type Provider, providerSecret } from "./schema.ts";
import { demandValid } from "./settings.ts";

export async function addProvider(
  context: LlmAdmin,
  id: string,
  typed: unknown,
  secret: string | null = null,
): Promise<Provider> {
  demandProviders(context);
  const fields = typedProvider(typed);
  const provider = { id, ...fields, version: 1, hasSecret: secret !== null };
  const encrypted = secret === null ? null : encryptFor(context, provider, secret);
  return context.kept.transaction(async (port) => {
    await demandFreeId(port, "provider", id);
    await port.putLlmRecord("provider", providerRecord(provider, encrypted, context.keys));
    const details = { ...fields, secret: secret === null ? undefined : "set" };
    await recordChange(context, port, ["provider.added", id], details);
    return provider;
  });
}

/** RV-13: another origin discards the secret. What is not typed stays. */
export async function changeProvider(context: LlmAdmin, id: string, typed: unknown): Promise<ChangedProvider> {
  demandProviders(context);
  return context.kept.transaction(async (port) => {
    const stored = await demandRecord(port, "provider", id);
    const before = parseProvider(stored);
    const isIntact = isIntactProvider(context.keys, stored);
    const fields = isIntact ? changedSettings(typed, shownProvider(before)) : saidAgain(typed, before);
    const moved = !isIntact || fields.origin !== before.origin;
    const secret = moved ? null : stored.secret;
    const version = moved ? before.version + 1 : before.version;
    const provider = { id, ...fields, version, hasSecret: secret !== null };
    const secretDiscarded = before.hasSecret && moved;
    await keepChanges(context, port, { before, provider, secret, secretDiscarded });
    return { provider, secretDiscarded };
  });
}

/** T43: nothing that a hand has written stands in for what was not typed, and no secret is sent where it points. */
function saidAgain(typed: unknown, { id, protocol }: Provider) {
  try {
    return changedSettings(typed, { protocol });
  } catch (cause) {
    throw changedByHand(id, cause);
  }
}

function changedByHand(id: string, cause?: unknown): AppError {
  const hint = `say its origin and its models again: skillward provider set ${id} --origin … --model …`;
  return new AppError("keys.unusable", `the row of provider "${id}" was changed by hand; ${hint}`, { cause });
}

async function keepChanges(
  context: LlmAdmin,
  port: Writes,
  change: ChangedProvider & { readonly before: Provider; readonly secret: string | null },
): Promise<void> {
  const { before, provider, secret, secretDiscarded } = change;
  const changed = difference(shownProvider(before), shownProvider(provider));
  if (changed === undefined && provider.version === before.version) return;
  await port.putLlmRecord("provider", providerRecord(provider, secret, context.keys));
  const details = { ...changed, secret: secretDiscarded ? "discarded" : undefined };
  await recordChange(context, port, ["provider.changed", provider.id], details);
}

/** RV-12, T40: set or replaced, encrypted for this id, version and origin; nothing here hands it out again. */
export async function setProviderSecret(context: LlmAdmin, id: string, secret: string): Promise<Provider> {
  demandProviders(context);
  return context.kept.transaction(async (port) => {
    const stored = await demandRecord(port, "provider", id);
    if (!isIntactProvider(context.keys, stored)) throw changedByHand(id);
    const before = parseProvider(stored);
    const provider = { ...before, version: before.version + 1, hasSecret: true };
    await port.putLlmRecord("provider", providerRecord(provider, encryptFor(context, provider, secret), context.keys));
    const details = { secret: before.hasSecret ? "replaced" : "set", version: provider.version };
    await recordChange(context, port, ["provider.changed", id], details);
    return provider;
  });
}

/** There is a secret only for an address it is sent to. */
export function demandSecretNeeded({ id, protocol, origin }: Provider): void {
  if (origin === "") throw new AppError("usage.invalid", `secret: provider "${id}" speaks ${protocol} and needs none`);
}

function encryptFor({ keys, random }: LlmContext, provider: Provider, secret: string): string {
  demandSecretNeeded(provider);
  const { id, version, origin } = provider;
  demandValid(providerSecret, "secret", secret);
  return encrypt(keys, random, secret, ["providers", id, version, origin]);
}

export async function removeProvider(context: LlmAdmin, id: string): Promise<void> {
  demandProviders(context);
  await context.kept.transaction(async (port) => {
    await demandRecord(port, "provider", id);
    await removeRecord(context, port, { kind: "provider", id, namedBy: ["configuration", "provider"] });
  });
}

export async function listProviders(context: LlmAdmin): Promise<readonly Provider[]> {
  demandProviders(context);
  return (await context.kept.read.listLlmRecords("provider")).map(parseProvider);
}

export async function showProvider(context: LlmAdmin, id: string): Promise<Provider> {
  demandProviders(context);
  return parseProvider(await demandRecord(context.kept.read, "provider", id));
}
