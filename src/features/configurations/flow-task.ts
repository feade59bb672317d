import { addTask, changeTask, listTasks, removeTask, showTask } from "../../models/task.ts";
import { permitted } from "./permitted.ts";

/** CO-13: prompts that are kept for repeated use with one configuration. */
export const taskFlow = {
  add: permitted("operate", addTask),
  change: permitted("operate", changeTask),
  remove: permitted("operate", removeTask),
  list: permitted("read", listTasks),
  show: permitted("read", showTask),
};
