import { permitLlm } from "../../models/context.ts";
import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  showConfiguration,
} from "../../models/configurations.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";
import { removed } from "./schema-providers.ts";
import { mountAttached } from "./http-attached.ts";

const path = "/api/configurations/{id}";

/** CO-13: how applications talk to models, and with which skills. */
export function mountConfigurations(routes: ApiRoutes): void {
  const answer = schemas.configuration;
  routes.get(
    {
      path: "/api/configurations",
      summary: "Every configuration that the caller may touch.",
      answer: schemas.configurations,
      perGeneration: true,
    },
    ({ app }) => listConfigurations(permitLlm(app, "read")),
  );
  routes.post(
    {
      path: "/api/configurations",
      summary: "Add a configuration; what is not said has its default.",
      asked: schemas.configurationAdded,
      answer,
    },
    ({ app }, { id, ...fields }) => addConfiguration(permitLlm(app, "operate"), id, fields),
  );
  routes.get({ path, summary: "One configuration.", answer, perGeneration: true }, ({ app, id }) =>
    showConfiguration(permitLlm(app, "read"), id),
  );
  routes.patch(
    { path, summary: "Change it; what is not sent stays.", asked: schemas.configurationChanged, answer },
    ({ app, id }, fields) => changeConfiguration(permitLlm(app, "operate"), id, fields),
  );
  routes.delete({ path, summary: "Remove it, with what is attached to it.", answer: removed }, async ({ app, id }) => {
    await removeConfiguration(permitLlm(app, "operate"), id);
    return { removed: id };
  });
  mountAttached(routes, { path, kind: "config" });
}
