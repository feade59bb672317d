import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryLlm } from "../../test/support/memory-llm.ts";
import { attach, listAttached } from "./attachments.ts";
import { parseConfiguration } from "./configuration.ts";
import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  showConfiguration,
} from "./configurations.ts";
import { addProvider, changeProvider } from "./providers.ts";
import { addTask, removeTask } from "./task.ts";

async function prepared() {
  const store = memoryLlm();
  const admin = store.as({});
  await addProvider(admin, "main", {
    protocol: "openai",
    origin: "https://api.example.com",
    models: ["small", "large"],
  });
  await addProvider(admin, "echo", { protocol: "echo", models: ["*"] });
  const operator = store.as({ name: "olga", role: "operator" }, "operate");
  const details = () => JSON.parse(store.rows().audit.at(-1)?.details ?? "");
  return { store, admin, operator, details };
}

const least = { provider: "main", model: "small" };

const defaults = {
  systemPrompt: "",
  parameters: {},
  placement: "user",
  routable: [],
  routing: { enabled: false, accept: null, margin: null, floor: null, routeOn: "first" },
  budget: 24_000,
  contextTokens: null,
  trustFloor: "untrusted",
  systemFloor: "first_party",
};

const full = {
  provider: "main",
  model: "large",
  systemPrompt: "You speak plainly.",
  parameters: { temperature: 0.2, seed: 7, user: "desk", store: false },
  placement: "system",
  routable: ["acme:skills/reports", "source:house"],
  routing: { enabled: true, accept: 0.8, margin: 0.1, floor: 0.5, routeOn: "last" },
  budget: 9_000,
  contextTokens: 128_000,
  trustFloor: "community",
  systemFloor: "verified",
};

describe("CO-13: configurations", () => {
  test("CO-13: what is not said has its default, and what is said is kept", async () => {
    const { operator } = await prepared();
    expect(await addConfiguration(operator, "house", least)).toEqual({ id: "house", ...least, ...defaults });
    expect(await addConfiguration(operator, "full", full)).toEqual({ id: "full", ...full });
    expect(await showConfiguration(operator, "full")).toEqual({ id: "full", ...full });
    expect((await listConfigurations(operator)).map(({ id }) => id)).toEqual(["full", "house"]);
  });

  test("CO-13: a change keeps what it does not name, also inside routing, and records only what changed", async () => {
    const { operator, store, details } = await prepared();
    await addConfiguration(operator, "full", full);
    const changed = await changeConfiguration(operator, "full", { model: "small", routing: { accept: null } });
    expect(changed).toEqual({ id: "full", ...full, model: "small", routing: { ...full.routing, accept: null } });
    expect(await showConfiguration(operator, "full")).toEqual(changed);
    expect(store.rows().audit.at(-1)).toMatchObject({ by: "olga", act: "configuration.changed", subject: "full" });
    expect(details()).toEqual({
      before: { model: "large", routing: full.routing },
      after: { model: "small", routing: changed.routing },
    });
  });

  test("RV-8: a change that changes nothing leaves no record and no generation", async () => {
    const { operator, store } = await prepared();
    await addConfiguration(operator, "full", full);
    const before = store.rows();
    await changeConfiguration(operator, "full", full);
    expect(store.rows()).toEqual(before);
  });

  test("RV-8: a system prompt is in the audit by hash and length, never by its words", async () => {
    const { operator, store, details } = await prepared();
    await addConfiguration(operator, "house", { ...least, systemPrompt: "Sésame, ouvre-toi" });
    expect(details().systemPrompt).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 18 });
    await changeConfiguration(operator, "house", { systemPrompt: "Sésame, ferme-toi" });
    expect(Object.keys(details().after)).toEqual(["systemPrompt"]);
    expect(JSON.stringify(store.rows().audit)).not.toMatch(/same/);
  });

  test.each<[string, object, string]>([
    ["no provider", { provider: undefined }, "provider: expected"],
    ["a provider's name that is none", { provider: "Main!" }, "provider: expected"],
    ["no model", { model: undefined }, "model: expected"],
    ["a model with a blank", { model: "a b" }, "model: expected"],
    ["the star as a model", { model: "*" }, "model: expected"],
    ["a prompt that is no text", { systemPrompt: 7 }, "systemPrompt: expected"],
    ["a prompt with half a character", { systemPrompt: "\ud800" }, "systemPrompt: expected"],
    ["a prompt without end", { systemPrompt: "x".repeat(262_145) }, "systemPrompt: expected"],
    ["parameters in a list", { parameters: [1] }, "parameters: expected"],
    ["a parameter that is a map", { parameters: { logit: {} } }, "parameters.logit: expected"],
    ["a parameter that is no number", { parameters: { temperature: Number.NaN } }, "parameters.temperature: expected"],
    [
      "a parameter that reaches the prototype",
      JSON.parse('{"parameters":{"__proto__":1}}'),
      "parameters.__proto__: no such field",
    ],
    ["a model among the parameters", { parameters: { Model: "large" } }, "parameters: expected"],
    ["an unknown placement", { placement: "assistant" }, "placement: expected one of user, system"],
    ["something routable that is no id", { routable: ["everything"] }, "routable.0: expected"],
    ["a source that cannot be", { routable: ["source:A b"] }, "routable.0: expected"],
    ["a threshold above 1", { routing: { accept: 1.5 } }, "routing.accept: expected a number from 0 to 1"],
    ["a floor below 0", { routing: { floor: -1 } }, "routing.floor: expected"],
    ["a switch that is none", { routing: { enabled: "yes" } }, "routing.enabled: expected"],
    ["a message that is not read", { routing: { routeOn: "all" } }, "routing.routeOn: expected one of first, last"],
    ["a field routing has not", { routing: { speed: 1 } }, "routing.speed: no such field"],
    ["routing that is no object", { routing: "on" }, "routing: expected an object"],
    ["an unknown floor", { trustFloor: "all" }, "trustFloor: expected one of untrusted"],
    ["an unknown system floor", { systemFloor: "all" }, "systemFloor: expected one of untrusted"],
    ["a field there is not", { temperature: 1 }, "temperature: no such field"],
    ["a field with a hidden name", { "\u202emodel": 1 }, "\\u{202e}model: no such field"],
  ])("CO-13: %s is refused by its field, and nothing is kept", async (_, wrong, message) => {
    const { operator, store } = await prepared();
    const before = store.rows();
    const refused = { code: "usage.invalid", message: expect.stringMatching(new RegExp(`^${escaped(message)}`)) };
    await expect(addConfiguration(operator, "house", { ...least, ...wrong })).rejects.toMatchObject(refused);
    expect(store.rows()).toBe(before);
  });

  test("CO-13: the id is well formed and free", async () => {
    const { operator } = await prepared();
    await addConfiguration(operator, "house", least);
    await expect(addConfiguration(operator, "house", least)).rejects.toMatchObject({ code: "record.exists" });
    await expect(addConfiguration(operator, "House", least)).rejects.toThrow(/^id: expected lowercase letters/);
    const missing = { code: "record.missing" };
    await expect(changeConfiguration(operator, "none", {})).rejects.toMatchObject(missing);
    await expect(showConfiguration(operator, "none")).rejects.toMatchObject(missing);
    await expect(removeConfiguration(operator, "none")).rejects.toMatchObject(missing);
  });

  test("RV-13: the provider exists and allows the model, at every change", async () => {
    const { admin, operator } = await prepared();
    const elsewhere = addConfiguration(operator, "house", { ...least, provider: "none" });
    await expect(elsewhere).rejects.toMatchObject({ code: "record.missing" });
    const forbidden = /^model: provider "main" does not allow huge; it allows: small, large$/;
    await expect(addConfiguration(operator, "house", { ...least, model: "huge" })).rejects.toThrow(forbidden);
    await addConfiguration(operator, "house", least);
    await expect(changeConfiguration(operator, "house", { model: "huge" })).rejects.toThrow(forbidden);
    await changeProvider(admin, "main", { models: [] });
    await expect(changeConfiguration(operator, "house", { budget: 1 })).rejects.toThrow(/it allows: none$/);
    const moved = await changeConfiguration(operator, "house", { provider: "echo", model: "huge" });
    expect(moved).toMatchObject({ provider: "echo", model: "huge" });
  });

  test.each<[unknown, number]>([
    [1, 1],
    [0, 24_000],
    [-5, 24_000],
    [null, 24_000],
    ["much", 24_000],
    [Number.NaN, 24_000],
    [Number.POSITIVE_INFINITY, 24_000],
    [{}, 24_000],
  ])("CO-6: a budget of %j is %i bytes, never uncapped", async (budget, bytes) => {
    const { operator, store } = await prepared();
    expect(await addConfiguration(operator, "house", { ...least, budget })).toMatchObject({ budget: bytes });
    const record = JSON.stringify({ ...full, budget });
    store.rows().records.configuration.set("house", { id: "house", record, secret: null });
    expect(await showConfiguration(operator, "house")).toMatchObject({ budget: bytes });
  });

  test("CO-13: one that a task uses stays, and the tasks are named", async () => {
    const { operator, store } = await prepared();
    await addConfiguration(operator, "house", least);
    await addTask(operator, "sum-up", { configuration: "house", template: "{{input}}" });
    const refused = { code: "record.in-use", message: expect.stringContaining("used by task sum-up") };
    await expect(removeConfiguration(operator, "house")).rejects.toMatchObject(refused);
    await removeTask(operator, "sum-up");
    await removeConfiguration(operator, "house");
    expect(store.rows().records.configuration.size).toBe(0);
  });

  test("RV-14: who takes the id of a removed one starts without its skills", async () => {
    const { operator, store, details } = await prepared();
    store.standings.set("acme:a", { state: "enabled", reason: "approved" });
    await addConfiguration(operator, "house", least);
    await attach(operator, "config:house", "acme:a");
    await removeConfiguration(operator, "house");
    expect(details()).toEqual({ detached: ["acme:a"] });
    await addConfiguration(operator, "house", least);
    expect(await listAttached(operator, "config:house")).toEqual([]);
  });
});

describe("CO-13: stored words", () => {
  const read = (record: unknown) => parseConfiguration({ id: "house", record: JSON.stringify(record), secret: null });
  const safest = {
    placement: "user",
    routable: [],
    routing: { enabled: false, accept: 1, margin: 1, floor: 1, routeOn: "first" },
    budget: 24_000,
    contextTokens: null,
    trustFloor: "first_party",
    systemFloor: "first_party",
  };

  test("CO-13: a word that is missing reads as the safest", () => {
    const { provider, model, systemPrompt, parameters } = full;
    const words = { provider, model, systemPrompt, parameters };
    expect(read(words)).toEqual({ id: "house", ...words, ...safest });
  });

  test("CO-13: a word that is unknown reads as the safest, whatever it is", () => {
    const { provider, model, systemPrompt, parameters } = full;
    const known = new Set(["user", "system", "first", "last", "untrusted", "community", "verified", "first_party"]);
    const text = fc.string().filter((each) => !known.has(each) && !/^\d/.test(each));
    const rubbish = fc.oneof(
      fc.constantFrom("System", "all", "", "on", "true"),
      text,
      fc.dictionary(text, fc.jsonValue()),
    );
    fc.assert(
      fc.property(rubbish, (word) => {
        const inside = { enabled: word, accept: word, margin: word, floor: word, routeOn: word };
        const words = {
          placement: word,
          routable: word,
          routing: inside,
          budget: word,
          contextTokens: word,
          trustFloor: word,
        };
        const stored = { ...words, systemFloor: word, provider, model, systemPrompt, parameters };
        expect(read(stored)).toEqual({ id: "house", provider, model, systemPrompt, parameters, ...safest });
      }),
    );
  });

  test.each(["provider", "model", "systemPrompt", "parameters"])("CO-13: %s is never made up", (name) => {
    const damaged = { code: "store.failed", message: expect.stringContaining('configuration "house" is damaged') };
    expect(() => read({ ...full, [name]: null })).toThrow(expect.objectContaining(damaged));
  });
});

describe("RV-12: one who is limited to configurations", () => {
  test("RV-12: adds, changes, sees and removes those alone", async () => {
    const { operator, store } = await prepared();
    await addConfiguration(operator, "house", least);
    await addConfiguration(operator, "other", least);
    const limited = store.as({ name: "key:desk", role: "operator", configurations: ["house", "new"] }, "operate");
    expect((await listConfigurations(limited)).map(({ id }) => id)).toEqual(["house"]);
    await addConfiguration(limited, "new", least);
    await changeConfiguration(limited, "house", { budget: 5 });
    await removeConfiguration(limited, "new");
    const before = store.rows();
    for (const id of ["other", "absent"])
      for (const attempt of [
        addConfiguration(limited, id, least),
        changeConfiguration(limited, id, { budget: 5 }),
        showConfiguration(limited, id),
        removeConfiguration(limited, id),
      ])
        await expect(attempt).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(store.rows()).toBe(before);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
