import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  setProviderSecret,
  showProvider,
} from "../../../use/llm/providers.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/providers.ts";

const path = "/api/providers/{id}";

/** RV-13: endpoints of models, for admins alone. A secret comes in and never goes out. */
export function mountProviders(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/providers", summary: "Every provider.", answer: schemas.providers, perGeneration: true },
    ({ person }) => listProviders(api.as(person).llm),
  );
  operations.post(
    {
      path: "/api/providers",
      summary: "Add a provider, with its secret or without.",
      asked: schemas.providerAdded,
      answer: schemas.provider,
    },
    ({ person }, { id, secret, ...fields }) => addProvider(api.as(person).llm, id, fields, secret ?? null),
  );
  operations.get({ path, summary: "One provider.", answer: schemas.provider, perGeneration: true }, ({ person, id }) =>
    showProvider(api.as(person).llm, id),
  );
  operations.patch(
    {
      path,
      summary: "Change where it is or what it allows; another origin discards the secret, and the answer says so.",
      asked: schemas.providerChanged,
      answer: schemas.changedProvider,
    },
    ({ person, id }, fields) => changeProvider(api.as(person).llm, id, fields),
  );
  operations.put(
    {
      path: `${path}/secret`,
      summary: "Set or replace its secret, which is kept for its present origin alone.",
      asked: schemas.secretAsked,
      answer: schemas.provider,
    },
    ({ person, id }, { secret }) => setProviderSecret(api.as(person).llm, id, secret),
  );
  operations.delete(
    { path, summary: "Remove it, with its secret.", answer: schemas.removed },
    async ({ person, id }) => {
      await removeProvider(api.as(person).llm, id);
      return { removed: id };
    },
  );
}
