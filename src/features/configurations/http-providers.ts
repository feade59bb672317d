import { permitLlm } from "../../models/context.ts";
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  setProviderSecret,
  showProvider,
} from "../../models/providers.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema-providers.ts";

const path = "/api/providers/{id}";

/** RV-13: endpoints of models, for admins alone. A secret comes in and never goes out. */
export function mountProviders(routes: ApiRoutes): void {
  routes.get(
    { path: "/api/providers", summary: "Every provider.", answer: schemas.providers, perGeneration: true },
    ({ app }) => listProviders(permitLlm(app, "administer")),
  );
  routes.post(
    {
      path: "/api/providers",
      summary: "Add a provider, with its secret or without.",
      asked: schemas.providerAdded,
      answer: schemas.provider,
    },
    ({ app }, { id, secret, ...fields }) => addProvider(permitLlm(app, "administer"), id, fields, secret ?? null),
  );
  routes.get({ path, summary: "One provider.", answer: schemas.provider, perGeneration: true }, ({ app, id }) =>
    showProvider(permitLlm(app, "administer"), id),
  );
  routes.patch(
    {
      path,
      summary: "Change where it is or what it allows; another origin discards the secret, and the answer says so.",
      asked: schemas.providerChanged,
      answer: schemas.changedProvider,
    },
    ({ app, id }, fields) => changeProvider(permitLlm(app, "administer"), id, fields),
  );
  routes.put(
    {
      path: `${path}/secret`,
      summary: "Set or replace its secret, which is kept for its present origin alone.",
      asked: schemas.secretAsked,
      answer: schemas.provider,
    },
    ({ app, id }, { secret }) => setProviderSecret(permitLlm(app, "administer"), id, secret),
  );
  routes.delete({ path, summary: "Remove it, with its secret.", answer: schemas.removed }, async ({ app, id }) => {
    await removeProvider(permitLlm(app, "administer"), id);
    return { removed: id };
  });
}
