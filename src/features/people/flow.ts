import { AppError } from "../../core/error.ts";
import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import { addKey, listKeys, type NewKey, revokeKey } from "../../registry/accounts/api-keys.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { listConfigurations } from "../../models/configurations.ts";
import type { App } from "../../app/app.ts";
import type { ApiKey } from "../../registry/schema.ts";

/** Makes a key. One that is limited to a misspelt configuration would be good for nothing, so they must be there. */
export async function addApiKey(app: App, wanted: NewKey): Promise<{ record: ApiKey; text: string }> {
  return addKnownKey(app, requireRight(app, "administer"), wanted);
}

/** The same within a flow that has checked the right. */
export async function addKnownKey(
  app: App,
  permit: Permit<"administer">,
  wanted: NewKey,
): Promise<{ record: ApiKey; text: string }> {
  const known = (await listConfigurations({ ...app.llm, permit })).map(({ id }) => id);
  const unknown = wanted.configurations?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw noConfiguration(unknown, known);
  return addKey(app.accounts, permit, wanted);
}

function noConfiguration(id: string, known: readonly string[]): AppError {
  const near = nearest(id, known);
  const hint = near === undefined ? "`skillward config list` shows what there is" : `did you mean ${near}?`;
  return new AppError("record.missing", `there is no configuration "${safeLine(id, 80)}"; ${hint}`);
}

/** By its id, or by its name while it is active: no two active keys share one. */
export async function revokeApiKey(app: App, typed: string): Promise<ApiKey> {
  return revokeNamedKey(app, requireRight(app, "administer"), typed);
}

/** The same within a flow that has checked the right. */
export async function revokeNamedKey(app: App, permit: Permit<"administer">, typed: string): Promise<ApiKey> {
  const { keys } = await listKeys(app.accounts, permit);
  const isId = keys.some(({ id }) => id === typed);
  const named = isId ? undefined : keys.find(({ name, state }) => name === typed && state === "active");
  return revokeKey(app.accounts, permit, named?.id ?? typed);
}

/** Every key, revoked ones too, without its text. */
export async function listApiKeys(app: App): ReturnType<typeof listKeys> {
  return listKeys(app.accounts, requireRight(app, "administer"));
}
