import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  showConfiguration,
} from "../../../use/llm/configurations.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/configurations.ts";
import { removed } from "../schemas/providers.ts";
import { mountAttached } from "./attached.ts";

const path = "/api/configurations/{id}";

/** CO-13: how applications talk to models, and with which skills. */
export function mountConfigurations(operations: Operations, api: Api): void {
  const answer = schemas.configuration;
  operations.get(
    {
      path: "/api/configurations",
      summary: "Every configuration that the caller may touch.",
      answer: schemas.configurations,
      perGeneration: true,
    },
    ({ person }) => listConfigurations(api.as(person).llm),
  );
  operations.post(
    {
      path: "/api/configurations",
      summary: "Add a configuration; what is not said has its default.",
      asked: schemas.configurationAdded,
      answer,
    },
    ({ person }, { id, ...fields }) => addConfiguration(api.as(person).llm, id, fields),
  );
  operations.get({ path, summary: "One configuration.", answer, perGeneration: true }, ({ person, id }) =>
    showConfiguration(api.as(person).llm, id),
  );
  operations.patch(
    { path, summary: "Change it; what is not sent stays.", asked: schemas.configurationChanged, answer },
    ({ person, id }, fields) => changeConfiguration(api.as(person).llm, id, fields),
  );
  operations.delete(
    { path, summary: "Remove it, with what is attached to it.", answer: removed },
    async ({ person, id }) => {
      await removeConfiguration(api.as(person).llm, id);
      return { removed: id };
    },
  );
  mountAttached(operations, api, { path, kind: "config" });
}
