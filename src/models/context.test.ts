import { describe, expect, test } from "vitest";
import { type MemoryLlm, memoryLlm } from "../../test/support/memory-llm.ts";
import type { UserContext } from "../registry/accounts/permit.ts";
import { type Person, type Role, roles } from "../registry/accounts/roles.ts";
import * as attachments from "./attachments.ts";
import * as configuration from "./configuration.ts";
import * as configurations from "./configurations.ts";
import { type LlmAdmin, type LlmContext, type LlmOperator, type LlmReader, permitLlm } from "./context.ts";
import * as provider from "./provider.ts";
import * as providers from "./providers.ts";
import * as task from "./task.ts";

interface Flow {
  readonly may: readonly Role[];
  readonly changes: boolean;
  /** As a flow of a feature calls it: with the right that it demands by type. */
  readonly call: (who: Who) => Promise<unknown>;
}

type Who = UserContext & { readonly llm: LlmContext };

const read = (call: (llm: LlmReader) => Promise<unknown>): Flow => ({
  may: roles,
  changes: false,
  call: async (who) => call(permitLlm(who, "read")),
});
const operate = (call: (llm: LlmOperator) => Promise<unknown>): Flow => ({
  may: ["operator", "admin"],
  changes: true,
  call: async (who) => call(permitLlm(who, "operate")),
});
const administer = (call: (llm: LlmAdmin) => Promise<unknown>, changes = true): Flow => ({
  may: ["admin"],
  changes,
  call: async (who) => call(permitLlm(who, "administer")),
});

const origin = "https://api.example.com";
const least = { provider: "main", model: "small" };

/** Every flow of the room, by the right it takes (RV-12). */
const matrix: Readonly<Record<string, Flow>> = {
  addProvider: administer((who) => providers.addProvider(who, "new", { protocol: "openai", origin })),
  changeProvider: administer((who) => providers.changeProvider(who, "main", { origin: "https://evil.example" })),
  setProviderSecret: administer((who) => providers.setProviderSecret(who, "main", "sk-mine")),
  removeProvider: administer((who) => providers.removeProvider(who, "spare")),
  listProviders: administer((who) => providers.listProviders(who), false),
  showProvider: administer((who) => providers.showProvider(who, "main"), false),
  addConfiguration: operate((who) => configurations.addConfiguration(who, "new", least)),
  changeConfiguration: operate((who) => configurations.changeConfiguration(who, "house", { budget: 1 })),
  removeConfiguration: operate((who) => configurations.removeConfiguration(who, "spare")),
  listConfigurations: read((who) => configurations.listConfigurations(who)),
  showConfiguration: read((who) => configurations.showConfiguration(who, "house")),
  addTask: operate((who) => task.addTask(who, "new", { configuration: "house", template: "{{input}}" })),
  changeTask: operate((who) => task.changeTask(who, "sum-up", { template: "New: {{input}}" })),
  removeTask: operate((who) => task.removeTask(who, "sum-up")),
  listTasks: read((who) => task.listTasks(who)),
  showTask: read((who) => task.showTask(who, "sum-up")),
  attach: operate((who) => attachments.attach(who, "config:house", "acme:b")),
  detach: operate((who) => attachments.detach(who, "config:house", "acme:a")),
  listAttached: read((who) => attachments.listAttached(who, "config:house")),
  listTargetsOf: read((who) => attachments.listTargetsOf(who, "acme:a")),
};

/** Functions from values to values: they take no context and ask nobody. */
const pure: readonly string[] = [
  "allowsModel",
  "changedSettings",
  "demandSecretNeeded",
  "isIntactProvider",
  "parseConfiguration",
  "parseProvider",
  "parseTask",
  "providerRecord",
  "shownConfiguration",
  "shownProvider",
  "typedConfiguration",
  "typedProvider",
];

async function prepared(): Promise<MemoryLlm> {
  const store = memoryLlm();
  const admin = store.as({});
  for (const id of ["main", "spare"])
    await providers.addProvider(admin, id, { protocol: "openai", origin, models: ["small"] });
  await providers.setProviderSecret(admin, "main", "sk-ours");
  for (const id of ["house", "spare"]) await configurations.addConfiguration(admin, id, least);
  await task.addTask(admin, "sum-up", { configuration: "house", template: "{{input}}" });
  for (const entry of ["acme:a", "acme:b"]) store.standings.set(entry, { state: "enabled", reason: "approved" });
  await attachments.attach(admin, "config:house", "acme:a");
  return store;
}

const policy = { reviewers: true };

function asWho(store: MemoryLlm, person: Partial<Person>): Who {
  const llm = store.as({});
  return { llm, policy, person: { ...llm.permit.person, ...person } };
}

describe("RV-12: who may do what", () => {
  test("RV-12: every function of the room is in the matrix", () => {
    const rooms = [providers, provider, configurations, configuration, task, attachments];
    const functions = rooms.flatMap((room) =>
      Object.entries(room).flatMap(([name, value]) => (typeof value === "function" ? [name] : [])),
    );
    expect(functions.toSorted()).toEqual([...Object.keys(matrix), ...pure].toSorted());
  });

  const cases = Object.entries(matrix).flatMap(([name, flow]) => roles.map((role) => ({ name, role, flow })));

  test.each(cases)("RV-12, T43: $name as $role", async ({ role, flow }) => {
    const store = await prepared();
    const before = store.rows();
    const person = asWho(store, { name: "someone", role });
    if (flow.may.includes(role)) await flow.call(person);
    else await expect(flow.call(person)).rejects.toMatchObject({ code: "auth.forbidden" });
    const changed = flow.may.includes(role) && flow.changes;
    expect(store.rows() === before).toBe(!changed);
    if (changed) expect(store.rows().audit.slice(before.audit.length)).toMatchObject([{ by: "someone" }]);
    expect(store.rows().generation).toBe(before.generation + (changed ? 1 : 0));
  });

  test.each(Object.keys(matrix))("RV-12: %s asks for the role before it looks at anything", async (name) => {
    const nothing = memoryLlm();
    const flow = matrix[name];
    for (const role of roles.filter((each) => flow?.may.includes(each) === false)) {
      const who = asWho(nothing, { role });
      const unreachable = new Proxy(who.llm.kept, { get: () => expect.unreachable() });
      const llm = { ...who.llm, kept: unreachable, standingOf: () => expect.unreachable() };
      await expect(flow?.call({ ...who, llm })).rejects.toMatchObject({ code: "auth.forbidden" });
    }
  });

  const changing = Object.entries(matrix).filter(([, { changes }]) => changes);

  test.each(changing)("RV-8: %s changes nothing when its audit record cannot be written", async (_, flow) => {
    const store = await prepared();
    const before = store.rows();
    store.breakAudit();
    await expect(flow.call(asWho(store, {}))).rejects.toThrow("disk full");
    expect(store.rows()).toBe(before);
  });

  const administered = Object.entries(matrix).filter(([, { may }]) => may.length === 1);

  test.each(administered)("T43: %s is not for an admin's key that is limited to configurations", async (_, flow) => {
    const store = await prepared();
    const before = store.rows();
    const limited = asWho(store, { name: "key:desk", configurations: ["house"] });
    await expect(flow.call(limited)).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(store.rows()).toBe(before);
  });
});
