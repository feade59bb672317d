import { permitLlm } from "../../models/context.ts";
import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  showConfiguration,
} from "../../models/configurations.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { changedProvider, configuration, provider, task } from "../../models/schema.ts";
import * as providers from "./schema-providers.ts";
import * as schemas from "./schema.ts";
import * as tasks from "./schema-tasks.ts";
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  setProviderSecret,
  showProvider,
} from "../../models/providers.ts";
import { addTask, changeTask, listTasks, removeTask, showTask } from "../../models/task.ts";
import { attachSkill, detachSkill, showAttached } from "./attach.ts";
import { attachedTo, attachedView } from "./schema-attached.ts";

const configurationPath = "/api/configurations/{id}";

/** CO-13: how applications talk to models, and with which skills. */
export function mountConfigurations(routes: ApiRoutes): void {
  const answer = configuration;
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
  routes.get({ path: configurationPath, summary: "One configuration.", answer, perGeneration: true }, ({ app, id }) =>
    showConfiguration(permitLlm(app, "read"), id),
  );
  routes.patch(
    {
      path: configurationPath,
      summary: "Change it; what is not sent stays.",
      asked: schemas.configurationChanged,
      answer,
    },
    ({ app, id }, fields) => changeConfiguration(permitLlm(app, "operate"), id, fields),
  );
  routes.delete(
    { path: configurationPath, summary: "Remove it, with what is attached to it.", answer: providers.removed },
    async ({ app, id }) => {
      await removeConfiguration(permitLlm(app, "operate"), id);
      return { removed: id };
    },
  );
  mountAttached(routes, { path: configurationPath, kind: "config" });
}

const providerPath = "/api/providers/{id}";

/** RV-13: endpoints of models, for admins alone. A secret comes in and never goes out. */
export function mountProviders(routes: ApiRoutes): void {
  routes.get(
    { path: "/api/providers", summary: "Every provider.", answer: providers.providers, perGeneration: true },
    ({ app }) => listProviders(permitLlm(app, "administer")),
  );
  routes.post(
    {
      path: "/api/providers",
      summary: "Add a provider, with its secret or without.",
      asked: providers.providerAdded,
      answer: provider,
    },
    ({ app }, { id, secret, ...fields }) => addProvider(permitLlm(app, "administer"), id, fields, secret ?? null),
  );
  routes.get({ path: providerPath, summary: "One provider.", answer: provider, perGeneration: true }, ({ app, id }) =>
    showProvider(permitLlm(app, "administer"), id),
  );
  routes.patch(
    {
      path: providerPath,
      summary: "Change where it is or what it allows; another origin discards the secret, and the answer says so.",
      asked: providers.providerChanged,
      answer: changedProvider,
    },
    ({ app, id }, fields) => changeProvider(permitLlm(app, "administer"), id, fields),
  );
  routes.put(
    {
      path: `${providerPath}/secret`,
      summary: "Set or replace its secret, which is kept for its present origin alone.",
      asked: providers.secretAsked,
      answer: provider,
    },
    ({ app, id }, { secret }) => setProviderSecret(permitLlm(app, "administer"), id, secret),
  );
  routes.delete(
    { path: providerPath, summary: "Remove it, with its secret.", answer: providers.removed },
    async ({ app, id }) => {
      await removeProvider(permitLlm(app, "administer"), id);
      return { removed: id };
    },
  );
}

const taskPath = "/api/tasks/{id}";

/** CO-13: prompts that are kept for repeated use with one configuration. */
export function mountTasks(routes: ApiRoutes): void {
  const answer = task;
  routes.get(
    {
      path: "/api/tasks",
      summary: "Every task of configurations that the caller may touch.",
      answer: tasks.tasks,
      perGeneration: true,
    },
    ({ app }) => listTasks(permitLlm(app, "read")),
  );
  routes.post(
    { path: "/api/tasks", summary: "Add a task.", asked: tasks.taskAdded, answer },
    ({ app }, { id, ...fields }) => addTask(permitLlm(app, "operate"), id, fields),
  );
  routes.get({ path: taskPath, summary: "One task.", answer, perGeneration: true }, ({ app, id }) =>
    showTask(permitLlm(app, "read"), id),
  );
  routes.patch(
    { path: taskPath, summary: "Change it; what is not sent stays.", asked: tasks.taskChanged, answer },
    ({ app, id }, fields) => changeTask(permitLlm(app, "operate"), id, fields),
  );
  routes.delete(
    { path: taskPath, summary: "Remove it, with what is attached to it.", answer: providers.removed },
    async ({ app, id }) => {
      await removeTask(permitLlm(app, "operate"), id);
      return { removed: id };
    },
  );
  mountAttached(routes, { path: taskPath, kind: "task" });
}

interface Carrier {
  /** Of one of them, with `{id}`. */
  readonly path: string;
  readonly kind: "config" | "task";
}

/** RV-14, T35: the skills on a configuration or a task, and what all of them can reach for together. */
function mountAttached(routes: ApiRoutes, { path, kind }: Carrier): void {
  routes.get(
    {
      path: `${path}/attached`,
      summary: "The skills on it, in order; what cannot be used is there with its reason.",
      answer: attachedView,
      perGeneration: true,
    },
    ({ app, id }) => showAttached(app, `${kind}:${id}`),
  );
  routes.put(
    {
      path: `${path}/attached/{entry}`,
      summary: "Put an approved skill on it, behind the others.",
      answer: attachedTo,
    },
    ({ app, id, entry }) => attachSkill(app, `${kind}:${id}`, entry),
  );
  routes.delete(
    { path: `${path}/attached/{entry}`, summary: "Take it off, whatever became of it.", answer: attachedTo },
    ({ app, id, entry }) => detachSkill(app, `${kind}:${id}`, entry),
  );
}
