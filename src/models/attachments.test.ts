import { describe, expect, test } from "vitest";
import { memoryLlm } from "../../test/support/memory-llm.ts";
import { attach, detach, listAttached, listTargetsOf } from "./attachments.ts";
import { addConfiguration } from "./configurations.ts";
import { addProvider } from "./providers.ts";
import { addTask } from "./task.ts";

async function prepared() {
  const store = memoryLlm();
  const admin = store.as({});
  await addProvider(admin, "echo", { protocol: "echo", models: ["*"] });
  for (const id of ["house", "other"]) {
    await addConfiguration(admin, id, { provider: "echo", model: "any" });
    await addTask(admin, `${id}-task`, { configuration: id, template: "{{input}}" });
  }
  for (const name of ["a", "b", "c"]) store.standings.set(`acme:${name}`, { state: "enabled", reason: "approved" });
  return { store, operator: store.as({ name: "olga", role: "operator" }, "operate") };
}

const entriesOf = (attached: readonly { entry: string }[]) => attached.map(({ entry }) => entry);

describe("RV-14: attachments", () => {
  test.each(["config:house", "task:house-task"])(
    "RV-14: %s keeps the order, each change in the audit",
    async (target) => {
      const { operator, store } = await prepared();
      for (const entry of ["acme:b", "acme:a", "acme:c"]) await attach(operator, target, entry);
      expect(entriesOf(await listAttached(operator, target))).toEqual(["acme:b", "acme:a", "acme:c"]);
      await detach(operator, target, "acme:a");
      await attach(operator, target, "acme:a");
      expect(entriesOf(await listAttached(operator, target))).toEqual(["acme:b", "acme:c", "acme:a"]);
      expect(store.rows().audit.slice(-2)).toMatchObject([
        {
          by: "olga",
          act: "skill.detached",
          subject: "acme:a",
          details: JSON.stringify({ from: target, position: 1 }),
        },
        { by: "olga", act: "skill.attached", subject: "acme:a", details: JSON.stringify({ position: 2, to: target }) },
      ]);
    },
  );

  test.each(["enabled", "held"])("RV-14: an entry that is %s has a revision in use", async (state) => {
    const { operator, store } = await prepared();
    store.standings.set("acme:a", { state, reason: "approved" });
    await attach(operator, "config:house", "acme:a");
    expect(await listAttached(operator, "config:house")).toEqual([
      { entry: "acme:a", usable: true, state, inUse: null, reason: "approved" },
    ]);
  });

  test.each(["new", "pending", "disabled", "blocked", "orphaned", "something else"])(
    "RV-14: an entry that is %s is refused with its reason, and nothing is kept",
    async (state) => {
      const { operator, store } = await prepared();
      store.standings.set("acme:a", { state, reason: "because\u202e of this" });
      const before = store.rows();
      const message = expect.stringContaining(`${state} (because\\u{202e} of this)`);
      const refused = { code: "entry.unusable", message };
      await expect(attach(operator, "config:house", "acme:a")).rejects.toMatchObject(refused);
      expect(store.rows()).toBe(before);
    },
  );

  test("RV-14: what is no longer usable is listed in its place with its reason, and can be detached", async () => {
    const { operator, store } = await prepared();
    for (const entry of ["acme:a", "acme:b", "acme:c"]) await attach(operator, "config:house", entry);
    store.standings.set("acme:a", { state: "blocked", reason: "block list" });
    store.standings.delete("acme:b");
    expect(await listAttached(operator, "config:house")).toEqual([
      { entry: "acme:a", usable: false, state: "blocked", inUse: null, reason: "block list" },
      {
        entry: "acme:b",
        usable: false,
        state: "missing",
        inUse: null,
        reason: "the registry has no such entry any more",
      },
      { entry: "acme:c", usable: true, state: "enabled", inUse: null, reason: "approved" },
    ]);
    await detach(operator, "config:house", "acme:a");
    await detach(operator, "config:house", "acme:b");
    expect(entriesOf(await listAttached(operator, "config:house"))).toEqual(["acme:c"]);
  });

  test("RV-14: an entry comes once on a target", async () => {
    const { operator } = await prepared();
    await attach(operator, "config:house", "acme:a");
    await attach(operator, "task:house-task", "acme:a");
    await expect(attach(operator, "config:house", "acme:a")).rejects.toMatchObject({ code: "record.exists" });
    expect(entriesOf(await listAttached(operator, "config:house"))).toEqual(["acme:a"]);
  });

  test("RV-14: twenty at once lose none and repeat none", async () => {
    const { operator, store } = await prepared();
    const entries = Array.from({ length: 20 }, (_, index) => `acme:${index}`);
    for (const entry of entries) store.standings.set(entry, { state: "enabled", reason: "approved" });
    const attempts = [...entries, ...entries].map((entry) => attach(operator, "config:house", entry));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(entriesOf(await listAttached(operator, "config:house"))).toEqual(entries);
  });

  test("RV-14: what is not there is said to be missing", async () => {
    const { operator } = await prepared();
    const missing = { code: "record.missing" };
    await expect(attach(operator, "config:house", "acme:none")).rejects.toMatchObject(missing);
    await expect(attach(operator, "config:none", "acme:a")).rejects.toMatchObject(missing);
    await expect(attach(operator, "task:none", "acme:a")).rejects.toMatchObject(missing);
    await expect(detach(operator, "config:house", "acme:a")).rejects.toMatchObject(missing);
    await expect(listAttached(operator, "task:none")).rejects.toMatchObject(missing);
  });

  test.each(["house", "provider:echo", "config:", "config:House", "task:a:b", "config:house\n", ""])(
    "RV-14: %j carries no skills",
    async (target) => {
      const { operator } = await prepared();
      const refused = { code: "usage.invalid", message: "target: expected config:<id> or task:<id>" };
      await expect(attach(operator, target, "acme:a")).rejects.toMatchObject(refused);
      await expect(detach(operator, target, "acme:a")).rejects.toMatchObject(refused);
      await expect(listAttached(operator, target)).rejects.toMatchObject(refused);
    },
  );

  test("RV-14: of an entry is known where it is attached", async () => {
    const { operator, store } = await prepared();
    for (const target of ["task:other-task", "config:house", "task:house-task"])
      await attach(operator, target, "acme:a");
    expect(await listTargetsOf(operator, "acme:a")).toEqual(["config:house", "task:house-task", "task:other-task"]);
    expect(await listTargetsOf(operator, "acme:b")).toEqual([]);
    const limited = store.as({ configurations: ["house"] });
    expect(await listTargetsOf(limited, "acme:a")).toEqual(["config:house", "task:house-task"]);
  });
});

describe("RV-12: one who is limited to configurations", () => {
  test("RV-12: attaches to those and their tasks alone", async () => {
    const { operator, store } = await prepared();
    for (const target of ["config:other", "task:other-task"]) await attach(operator, target, "acme:a");
    const limited = store.as({ role: "operator", configurations: ["house"] }, "operate");
    await attach(limited, "config:house", "acme:a");
    await attach(limited, "task:house-task", "acme:a");
    const before = store.rows();
    for (const target of ["config:other", "task:other-task"])
      for (const attempt of [
        attach(limited, target, "acme:b"),
        detach(limited, target, "acme:a"),
        listAttached(limited, target),
      ])
        await expect(attempt).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(store.rows()).toBe(before);
  });
});
