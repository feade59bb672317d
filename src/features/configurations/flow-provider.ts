import { demandProviders, type LlmAdmin } from "../../models/context.ts";
import type { Provider } from "../../models/schema.ts";
import {
  addProvider,
  changeProvider,
  demandSecretNeeded,
  listProviders,
  removeProvider,
  setProviderSecret,
  showProvider,
} from "../../models/providers.ts";
import { permitted } from "./permitted.ts";

/** RV-13: where models answer, for admins alone. A secret comes in and never goes out. */
export const providerFlow = {
  add: permitted("administer", addWithSecret),
  change: permitted("administer", changeProvider),
  setSecret: permitted("administer", replaceSecret),
  remove: permitted("administer", removeProvider),
  list: permitted("administer", listProviders),
  show: permitted("administer", showProvider),
};

/** The secret is asked for once the person may add the provider. Null: it has none. */
async function addWithSecret(
  llm: LlmAdmin,
  id: string,
  fields: unknown,
  askSecret: () => Promise<string | null>,
): Promise<Provider> {
  demandProviders(llm);
  return addProvider(llm, id, fields, await askSecret());
}

/** A person who may not replace it is not asked for it; one who may is told where it will be sent. */
async function replaceSecret(
  llm: LlmAdmin,
  id: string,
  askSecret: (provider: Provider) => Promise<string>,
): Promise<Provider> {
  const provider = await showProvider(llm, id);
  demandSecretNeeded(provider);
  return setProviderSecret(llm, id, await askSecret(provider));
}
