import { expect, test } from "vitest";
import { memoryLlm } from "../../test/support/memory-llm.ts";
import type { LlmRecord } from "./port.ts";
import { addProvider, changeProvider, setProviderSecret } from "./providers.ts";
import { openSecret } from "./secrets.ts";

const origin = "https://api.example.com";

async function prepared() {
  const store = memoryLlm();
  const admin = store.as({});
  await addProvider(admin, "main", { protocol: "openai", origin, models: ["*"] }, "sk-secret-of-main");
  const stored = store.rows().records.provider.get("main") as LlmRecord;
  return { store, admin, stored };
}

test("RV-13: the secret opens for the provider it was set for, and there is none where none was set", async () => {
  const { admin, store, stored } = await prepared();
  expect(openSecret(admin.keys, stored)).toBe("sk-secret-of-main");
  await addProvider(admin, "open", { protocol: "openai", origin, models: ["*"] });
  expect(openSecret(admin.keys, store.rows().records.provider.get("open") as LlmRecord)).toBeNull();
});

test("T43: a row from which the secret was taken, or that nobody with the key file wrote, is good for nothing", async () => {
  const { admin, store, stored } = await prepared();
  const { seal, ...unsealed } = JSON.parse(stored.record);
  const changed = { ...unsealed, models: ["small"], seal };
  for (const record of [
    { ...stored, secret: null },
    { ...stored, secret: null, record: stored.record.replace(origin, "https://evil.example") },
    { ...stored, record: JSON.stringify(unsealed) },
    { ...stored, record: JSON.stringify(changed) },
  ])
    expect(() => openSecret(admin.keys, record)).toThrow(/the row of provider "main" was changed by hand/);

  // What an admin does next takes nothing over from such a row, and sends no secret where it points.
  const moved = { ...stored, secret: null, record: stored.record.replace(origin, "https://evil.example") };
  store.rows().records.provider.set("main", moved);
  const before = store.rows();
  const refused = { code: "keys.unusable", message: expect.stringContaining("--origin") };
  await expect(setProviderSecret(admin, "main", "sk-another-secret")).rejects.toMatchObject(refused);
  await expect(changeProvider(admin, "main", { models: ["*"] })).rejects.toMatchObject(refused);
  await expect(changeProvider(admin, "main", { origin })).rejects.toMatchObject(refused);
  expect(store.rows()).toBe(before);
  await changeProvider(admin, "main", { origin, models: ["*"] });
  await setProviderSecret(admin, "main", "sk-another-secret");
  expect(openSecret(admin.keys, store.rows().records.provider.get("main") as LlmRecord)).toBe("sk-another-secret");
});

test.each([
  ["another origin", (text: string) => text.replace(origin, "https://evil.example")],
  ["another version", (text: string) => text.replace('"version":1', '"version":2')],
])("T43: with %s in its row the secret does not open", async (_, change) => {
  const { admin, stored } = await prepared();
  const moved = { ...stored, record: change(stored.record) };
  expect(moved.record).not.toBe(stored.record);
  expect(() => openSecret(admin.keys, moved)).toThrow(expect.objectContaining({ code: "keys.unusable" }));
});

test("T43: a secret in another provider's row does not open", async () => {
  const { admin, stored } = await prepared();
  const other = { ...stored, id: "other" };
  expect(() => openSecret(admin.keys, other)).toThrow(expect.objectContaining({ code: "keys.unusable" }));
});

test("T43: after a change of origin there is no secret", async () => {
  const { admin, store } = await prepared();
  await changeProvider(admin, "main", { origin: "https://evil.example" });
  const stored = store.rows().records.provider.get("main") as LlmRecord;
  expect(openSecret(admin.keys, stored)).toBeNull();
});
