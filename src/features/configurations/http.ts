import type { ApiRoutes } from "../http/api-routes.ts";
import { changedProvider, configuration, provider, task } from "../../models/schema.ts";
import { attachSkill, detachSkill, showAttached } from "./attach.ts";
import { providerFlow } from "./flow-provider.ts";
import { taskFlow } from "./flow-task.ts";
import { configurationFlow } from "./flow.ts";
import { attachedTo, attachedView } from "./schema-attached.ts";
import * as providers from "./schema-providers.ts";
import * as tasks from "./schema-tasks.ts";
import * as schemas from "./schema.ts";

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
    ({ app }) => configurationFlow.list(app),
  );
  routes.post(
    {
      path: "/api/configurations",
      summary: "Add a configuration; what is not said has its default.",
      asked: schemas.configurationAdded,
      answer,
    },
    ({ app }, { id, ...fields }) => configurationFlow.add(app, id, fields),
  );
  routes.get({ path: configurationPath, summary: "One configuration.", answer, perGeneration: true }, ({ app, id }) =>
    configurationFlow.show(app, id),
  );
  routes.patch(
    {
      path: configurationPath,
      summary: "Change it; what is not sent stays.",
      asked: schemas.configurationChanged,
      answer,
    },
    ({ app, id }, fields) => configurationFlow.change(app, id, fields),
  );
  routes.delete(
    { path: configurationPath, summary: "Remove it, with what is attached to it.", answer: providers.removed },
    async ({ app, id }) => {
      await configurationFlow.remove(app, id);
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
    ({ app }) => providerFlow.list(app),
  );
  routes.post(
    {
      path: "/api/providers",
      summary: "Add a provider, with its secret or without.",
      asked: providers.providerAdded,
      answer: provider,
    },
    ({ app }, { id, secret, ...fields }) => providerFlow.add(app, id, fields, async () => secret ?? null),
  );
  routes.get({ path: providerPath, summary: "One provider.", answer: provider, perGeneration: true }, ({ app, id }) =>
    providerFlow.show(app, id),
  );
  routes.patch(
    {
      path: providerPath,
      summary: "Change where it is or what it allows; another origin discards the secret, and the answer says so.",
      asked: providers.providerChanged,
      answer: changedProvider,
    },
    ({ app, id }, fields) => providerFlow.change(app, id, fields),
  );
  routes.put(
    {
      path: `${providerPath}/secret`,
      summary: "Set or replace its secret, which is kept for its present origin alone.",
      asked: providers.secretAsked,
      answer: provider,
    },
    ({ app, id }, { secret }) => providerFlow.setSecret(app, id, async () => secret),
  );
  routes.delete(
    { path: providerPath, summary: "Remove it, with its secret.", answer: providers.removed },
    async ({ app, id }) => {
      await providerFlow.remove(app, id);
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
    ({ app }) => taskFlow.list(app),
  );
  routes.post(
    { path: "/api/tasks", summary: "Add a task.", asked: tasks.taskAdded, answer },
    ({ app }, { id, ...fields }) => taskFlow.add(app, id, fields),
  );
  routes.get({ path: taskPath, summary: "One task.", answer, perGeneration: true }, ({ app, id }) =>
    taskFlow.show(app, id),
  );
  routes.patch(
    { path: taskPath, summary: "Change it; what is not sent stays.", asked: tasks.taskChanged, answer },
    ({ app, id }, fields) => taskFlow.change(app, id, fields),
  );
  routes.delete(
    { path: taskPath, summary: "Remove it, with what is attached to it.", answer: providers.removed },
    async ({ app, id }) => {
      await taskFlow.remove(app, id);
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
