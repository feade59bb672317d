import { permitLlm } from "../../models/context.ts";
import { addTask, changeTask, listTasks, removeTask, showTask } from "../../models/task.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { removed } from "./schema-providers.ts";
import * as schemas from "./schema-tasks.ts";
import { mountAttached } from "./http-attached.ts";

const path = "/api/tasks/{id}";

/** CO-13: prompts that are kept for repeated use with one configuration. */
export function mountTasks(routes: ApiRoutes): void {
  const answer = schemas.task;
  routes.get(
    {
      path: "/api/tasks",
      summary: "Every task of configurations that the caller may touch.",
      answer: schemas.tasks,
      perGeneration: true,
    },
    ({ app }) => listTasks(permitLlm(app, "read")),
  );
  routes.post(
    { path: "/api/tasks", summary: "Add a task.", asked: schemas.taskAdded, answer },
    ({ app }, { id, ...fields }) => addTask(permitLlm(app, "operate"), id, fields),
  );
  routes.get({ path, summary: "One task.", answer, perGeneration: true }, ({ app, id }) =>
    showTask(permitLlm(app, "read"), id),
  );
  routes.patch(
    { path, summary: "Change it; what is not sent stays.", asked: schemas.taskChanged, answer },
    ({ app, id }, fields) => changeTask(permitLlm(app, "operate"), id, fields),
  );
  routes.delete({ path, summary: "Remove it, with what is attached to it.", answer: removed }, async ({ app, id }) => {
    await removeTask(permitLlm(app, "operate"), id);
    return { removed: id };
  });
  mountAttached(routes, { path, kind: "task" });
}
