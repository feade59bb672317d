import { describe, expect, test } from "vitest";
import { memoryLlm } from "../../test/support/memory-llm.ts";
import { attach, listAttached } from "./attachments.ts";
import { addConfiguration } from "./configurations.ts";
import { addProvider } from "./providers.ts";
import { addTask, changeTask, listTasks, removeTask, showTask } from "./task.ts";

async function prepared() {
  const store = memoryLlm();
  const admin = store.as({});
  await addProvider(admin, "echo", { protocol: "echo", models: ["*"] });
  for (const id of ["house", "other"]) await addConfiguration(admin, id, { provider: "echo", model: "any" });
  const details = () => JSON.parse(store.rows().audit.at(-1)?.details ?? "");
  return { store, operator: store.as({ name: "olga", role: "operator" }, "operate"), details };
}

const sumUp = { configuration: "house", template: "Sum up:\n{{input}}\nTwice: {{input}} {not} {{ }" };

describe("CO-13: tasks", () => {
  test("CO-13: one is kept, changed and removed, each with its record", async () => {
    const { operator, store, details } = await prepared();
    expect(await addTask(operator, "sum-up", sumUp)).toEqual({ id: "sum-up", ...sumUp });
    await changeTask(operator, "sum-up", { configuration: "other" });
    expect(details()).toEqual({ before: { configuration: "house" }, after: { configuration: "other" } });
    expect(await showTask(operator, "sum-up")).toEqual({ id: "sum-up", ...sumUp, configuration: "other" });
    expect((await listTasks(operator)).map(({ id }) => id)).toEqual(["sum-up"]);
    await removeTask(operator, "sum-up");
    expect(await listTasks(operator)).toEqual([]);
    const acts = store.rows().audit.map(({ act }) => act);
    expect(acts.slice(-3)).toEqual(["task.added", "task.changed", "task.removed"]);
    expect(JSON.stringify(store.rows().audit)).not.toContain("Sum up");
  });

  test.each<[string, object, string]>([
    ["no configuration", { configuration: undefined }, "configuration: expected"],
    ["no template", { template: undefined }, "template: expected text"],
    ["a template without input", { template: "Sum up." }, "template: expected {{input}}"],
    ["an unknown placeholder", { template: "{{input}} {{language}}" }, "template: {{language}} is not known"],
    ["a placeholder with blanks", { template: "{{ input }}" }, "template: {{ input }} is not known"],
    ["a placeholder in other letters", { template: "{{Input}} {{input}}" }, "template: {{Input}} is not known"],
    ["an empty placeholder", { template: "{{}}{{input}}" }, "template: {{}} is not known"],
    ["a placeholder that hides", { template: "{{in\u200bput}}" }, "template: {{in\\u{200b}put}} is not known"],
    ["skills among the fields", { skills: ["acme:a"] }, "skills: no such field"],
  ])("CO-13: %s is refused by name, and nothing is kept", async (_, wrong, message) => {
    const { operator, store } = await prepared();
    const before = store.rows();
    const refused = { code: "usage.invalid", message: expect.stringContaining(message) };
    await expect(addTask(operator, "sum-up", { ...sumUp, ...wrong })).rejects.toMatchObject(refused);
    expect(store.rows()).toBe(before);
  });

  test("CO-13: a change is held to the same template", async () => {
    const { operator } = await prepared();
    await addTask(operator, "sum-up", sumUp);
    await expect(changeTask(operator, "sum-up", { template: "{{who}}" })).rejects.toThrow(/\{\{who\}\} is not known/);
  });

  test("CO-13: the id is free and the configuration is there", async () => {
    const { operator } = await prepared();
    await addTask(operator, "sum-up", sumUp);
    await expect(addTask(operator, "sum-up", sumUp)).rejects.toMatchObject({ code: "record.exists" });
    const missing = { code: "record.missing" };
    await expect(addTask(operator, "b", { ...sumUp, configuration: "none" })).rejects.toMatchObject(missing);
    await expect(changeTask(operator, "sum-up", { configuration: "none" })).rejects.toMatchObject(missing);
    await expect(changeTask(operator, "none", {})).rejects.toMatchObject(missing);
    await expect(showTask(operator, "none")).rejects.toMatchObject(missing);
    await expect(removeTask(operator, "none")).rejects.toMatchObject(missing);
  });

  test("RV-14: who takes the id of a removed one starts without its skills", async () => {
    const { operator, store, details } = await prepared();
    store.standings.set("acme:a", { state: "enabled", reason: "approved" });
    await addTask(operator, "sum-up", sumUp);
    await attach(operator, "task:sum-up", "acme:a");
    await removeTask(operator, "sum-up");
    expect(details()).toEqual({ detached: ["acme:a"] });
    await addTask(operator, "sum-up", sumUp);
    expect(await listAttached(operator, "task:sum-up")).toEqual([]);
  });

  test("CO-13: one that cannot be read is named, and can still be removed", async () => {
    const { operator, store } = await prepared();
    store.rows().records.task.set("torn", { id: "torn", record: '{"configuration":"house"}', secret: null });
    const damaged = { code: "store.failed", message: expect.stringContaining('task "torn" is damaged') };
    await expect(listTasks(operator)).rejects.toMatchObject(damaged);
    await removeTask(operator, "torn");
    expect(await listTasks(operator)).toEqual([]);
  });
});

describe("RV-12: one who is limited to configurations", () => {
  test("RV-12: has the tasks of those alone, and cannot move one in or out", async () => {
    const { operator, store } = await prepared();
    await addTask(operator, "mine", sumUp);
    await addTask(operator, "theirs", { ...sumUp, configuration: "other" });
    const limited = store.as({ role: "operator", configurations: ["house"] }, "operate");
    expect((await listTasks(limited)).map(({ id }) => id)).toEqual(["mine"]);
    expect(await showTask(limited, "mine")).toMatchObject({ configuration: "house" });
    const before = store.rows();
    for (const attempt of [
      addTask(limited, "new", { ...sumUp, configuration: "other" }),
      changeTask(limited, "mine", { configuration: "other" }),
      changeTask(limited, "theirs", { configuration: "house" }),
      changeTask(limited, "theirs", {}),
      showTask(limited, "theirs"),
      removeTask(limited, "theirs"),
    ])
      await expect(attempt).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(store.rows()).toBe(before);
    await removeTask(limited, "mine");
  });
});
