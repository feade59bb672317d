import { addTask, changeTask, listTasks, removeTask, showTask } from "../../../use/llm/task.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { removed } from "../schemas/providers.ts";
import * as schemas from "../schemas/tasks.ts";
import { mountAttached } from "./attached.ts";

const path = "/api/tasks/{id}";

/** CO-13: prompts that are kept for repeated use with one configuration. */
export function mountTasks(operations: Operations, api: Api): void {
  const answer = schemas.task;
  operations.get(
    {
      path: "/api/tasks",
      summary: "Every task of configurations that the caller may touch.",
      answer: schemas.tasks,
      perGeneration: true,
    },
    ({ person }) => listTasks(api.as(person).llm),
  );
  operations.post(
    { path: "/api/tasks", summary: "Add a task.", asked: schemas.taskAdded, answer },
    ({ person }, { id, ...fields }) => addTask(api.as(person).llm, id, fields),
  );
  operations.get({ path, summary: "One task.", answer, perGeneration: true }, ({ person, id }) =>
    showTask(api.as(person).llm, id),
  );
  operations.patch(
    { path, summary: "Change it; what is not sent stays.", asked: schemas.taskChanged, answer },
    ({ person, id }, fields) => changeTask(api.as(person).llm, id, fields),
  );
  operations.delete(
    { path, summary: "Remove it, with what is attached to it.", answer: removed },
    async ({ person, id }) => {
      await removeTask(api.as(person).llm, id);
      return { removed: id };
    },
  );
  mountAttached(operations, api, { path, kind: "task" });
}
