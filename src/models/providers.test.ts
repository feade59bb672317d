import { describe, expect, test } from "vitest";
import { memoryLlm } from "../../test/support/memory-llm.ts";
import { decrypt } from "../registry/keys.ts";
import { addConfiguration } from "./configurations.ts";
import { allowsModel } from "./provider.ts";
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  setProviderSecret,
  showProvider,
} from "./providers.ts";
import type { Provider } from "./schema.ts";

const secret = "sk-very-secret-1";
const typed = { protocol: "openai", origin: "https://api.example.com/v1", models: ["small", "large"] };

async function withSecret() {
  const store = memoryLlm();
  const admin = store.as({});
  await addProvider(admin, "main", typed);
  await setProviderSecret(admin, "main", secret);
  const ciphertext = (id: string) => store.rows().records.provider.get(id)?.secret ?? "";
  const open = (provider: Provider, text: string) =>
    decrypt(admin.keys, text, ["providers", provider.id, provider.version, provider.origin]);
  return { store, admin, ciphertext, open };
}

describe("RV-13: providers", () => {
  test("RV-13: one is kept as it was typed, without a secret", async () => {
    const admin = memoryLlm().as({});
    const added = await addProvider(admin, "main", typed);
    expect(added).toEqual({ id: "main", ...typed, version: 1, hasSecret: false });
    expect(await showProvider(admin, "main")).toEqual(added);
    expect(await listProviders(admin)).toEqual([added]);
  });

  test("RV-13: one may come with its secret: both are kept, or neither is", async () => {
    const store = memoryLlm();
    const admin = store.as({});
    const before = store.rows();
    await expect(addProvider(admin, "main", typed, "with blanks")).rejects.toThrow(/^secret: expected printable ASCII/);
    await expect(addProvider(admin, "echo", { protocol: "echo" }, secret)).rejects.toThrow(/needs none$/);
    expect(store.rows()).toBe(before);
    expect(await addProvider(admin, "main", typed, secret)).toMatchObject({ version: 1, hasSecret: true });
    const kept = store.rows().records.provider.get("main")?.secret ?? "";
    expect(decrypt(admin.keys, kept, ["providers", "main", 1, typed.origin])).toBe(secret);
    expect(JSON.stringify(store.rows().audit)).toContain(String.raw`\"secret\":\"set\"`);
    expect(JSON.stringify(store.rows().audit)).not.toContain(secret);
  });

  test("RV-13: without a list no model is allowed; the star allows any, and is none itself", async () => {
    const admin = memoryLlm().as({});
    const none = await addProvider(admin, "none", { protocol: "openai", origin: typed.origin });
    const any = await addProvider(admin, "any", { ...typed, models: ["*"] });
    const some = await addProvider(admin, "some", typed);
    const asked = ["small", "other", "", "*", "a b"];
    expect(asked.map((model) => allowsModel(none, model))).toEqual([false, false, false, false, false]);
    expect(asked.map((model) => allowsModel(any, model))).toEqual([true, true, false, false, false]);
    expect(asked.map((model) => allowsModel(some, model))).toEqual([true, false, false, false, false]);
  });

  test("CO-18: echo and scripted need neither address nor secret, and take none", async () => {
    const admin = memoryLlm().as({});
    const echo = await addProvider(admin, "echo", { protocol: "echo", models: ["*"] });
    expect(echo.origin).toBe("");
    await expect(setProviderSecret(admin, "echo", secret)).rejects.toThrow(/secret: provider "echo" .* needs none/);
    const elsewhere = { protocol: "scripted", origin: typed.origin };
    await expect(addProvider(admin, "other", elsewhere)).rejects.toThrow(/^origin: expected nothing/);
  });

  test.each<[string, unknown, RegExp]>([
    ["no protocol", { origin: typed.origin }, /^protocol: expected one of openai/],
    ["an unknown protocol", { ...typed, protocol: "telnet" }, /^protocol: expected one of/],
    ["no origin", { protocol: "openai" }, /^origin: expected https/],
    ["http outside", { ...typed, origin: "http://api.example.com" }, /^origin: expected https/],
    ["models that are no list", { ...typed, models: "small" }, /^models: expected a list/],
    ["the star among others", { ...typed, models: ["*", "small"] }, /^models: expected a list/],
    ["a secret among the fields", { ...typed, secret }, /^secret: no such field; there are protocol, origin, models$/],
    ["no object", "main", /^the record: expected an object/],
  ])("RV-13: %s is refused by its field, and nothing is kept", async (_, given, message) => {
    const store = memoryLlm();
    const error = await addProvider(store.as({}), "main", given).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: "usage.invalid", message: expect.stringMatching(message) });
    expect(String(error)).not.toContain(secret);
    expect(store.rows().audit).toEqual([]);
    expect(store.rows().records.provider.size).toBe(0);
  });

  test("RV-13: an id is well formed and free", async () => {
    const admin = memoryLlm().as({});
    await addProvider(admin, "main", typed);
    await expect(addProvider(admin, "main", typed)).rejects.toMatchObject({ code: "record.exists" });
    for (const id of ["", "Main", "a--b", "-a", "a:b", "a".repeat(65), "__proto__"])
      await expect(addProvider(admin, id, typed)).rejects.toMatchObject({ code: "usage.invalid" });
    await expect(showProvider(admin, "none")).rejects.toMatchObject({ code: "record.missing" });
    await expect(changeProvider(admin, "none", {})).rejects.toMatchObject({ code: "record.missing" });
    await expect(setProviderSecret(admin, "none", "x")).rejects.toMatchObject({ code: "record.missing" });
    await expect(removeProvider(admin, "none")).rejects.toMatchObject({ code: "record.missing" });
  });

  test("RV-13: one that a configuration uses stays", async () => {
    const store = memoryLlm();
    const admin = store.as({});
    await addProvider(admin, "main", typed);
    await addConfiguration(admin, "house", { provider: "main", model: "small" });
    const refused = { code: "record.in-use", message: expect.stringContaining("configuration house") };
    await expect(removeProvider(admin, "main")).rejects.toMatchObject(refused);
    expect(store.rows().records.provider.has("main")).toBe(true);
  });

  test("IN-1: a protocol or address that cannot be read is an error that names the record, which can still be removed", async () => {
    const store = memoryLlm();
    const admin = store.as({});
    await addProvider(admin, "main", typed);
    for (const record of ['{"protocol":"telnet"}', "not json", "[]"]) {
      store.rows().records.provider.set("main", { id: "main", record, secret: null });
      const damaged = { code: "store.failed", message: expect.stringContaining('provider "main"') };
      await expect(showProvider(admin, "main")).rejects.toMatchObject(damaged);
    }
    await removeProvider(admin, "main");
    expect(await listProviders(admin)).toEqual([]);
  });
});

describe("T40: a provider's secret", () => {
  test("T40: is kept as ciphertext that opens for its record, and is in nothing else", async () => {
    const { store, admin, ciphertext, open } = await withSecret();
    const provider = await showProvider(admin, "main");
    expect(provider.hasSecret).toBe(true);
    expect(open(provider, ciphertext("main"))).toBe(secret);
    expect(JSON.stringify([...store.rows().records.provider.values()])).not.toContain(secret);
    expect(JSON.stringify([provider, await listProviders(admin), store.rows().audit])).not.toContain(secret);
  });

  test("T40: a ciphertext swapped in from another provider does not open", async () => {
    const { store, admin, ciphertext, open } = await withSecret();
    await addProvider(admin, "other", typed);
    await setProviderSecret(admin, "other", "sk-other");
    const { provider: rows } = store.rows().records;
    const other = rows.get("other");
    if (other !== undefined) rows.set("other", { ...other, secret: ciphertext("main") });
    const swapped = await showProvider(admin, "other");
    expect(() => open(swapped, ciphertext("other"))).toThrow(/does not belong/);
  });

  test("T43: an origin edited in the row by hand does not get the secret", async () => {
    const { store, admin, ciphertext, open } = await withSecret();
    const { provider: rows } = store.rows().records;
    const row = rows.get("main");
    if (row !== undefined)
      rows.set("main", { ...row, record: row.record.replace("api.example.com", "evil.example.com") });
    const edited = await showProvider(admin, "main");
    expect(edited.origin).toBe("https://evil.example.com/v1");
    expect(() => open(edited, ciphertext("main"))).toThrow(/does not belong/);
  });

  test("T40: a replaced secret is replaced: the older ciphertext opens no more", async () => {
    const { admin, ciphertext, open } = await withSecret();
    const old = ciphertext("main");
    const provider = await setProviderSecret(admin, "main", "sk-new");
    expect(open(provider, ciphertext("main"))).toBe("sk-new");
    expect(() => open(provider, old)).toThrow(/does not belong/);
  });

  test.each(["", "two words", "line\nbreak", "naïve", "x".repeat(4097)])("RV-12: %j is no secret", async (text) => {
    const { admin, store } = await withSecret();
    const before = store.rows();
    const error = await setProviderSecret(admin, "main", text).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: "usage.invalid", message: expect.stringMatching(/^secret: expected/) });
    if (text !== "") expect(String(error)).not.toContain(text);
    expect(store.rows()).toBe(before);
  });
});

describe("T43: a provider that moves", () => {
  test("T43: leaves its secret behind, says so, and records it", async () => {
    const { store, admin, ciphertext } = await withSecret();
    const moved = await changeProvider(admin, "main", { origin: "https://evil.example.com" });
    expect(moved).toMatchObject({ secretDiscarded: true, provider: { hasSecret: false, models: typed.models } });
    expect(ciphertext("main")).toBe("");
    expect(store.rows().audit.at(-1)).toMatchObject({ by: "ada", act: "provider.changed", subject: "main" });
    expect(JSON.parse(store.rows().audit.at(-1)?.details ?? "")).toEqual({
      before: { origin: typed.origin },
      after: { origin: "https://evil.example.com" },
      secret: "discarded",
    });
  });

  test("T43: and back again has none either, nor does the old ciphertext open for it", async () => {
    const { admin, ciphertext, open } = await withSecret();
    const old = ciphertext("main");
    await changeProvider(admin, "main", { origin: "https://evil.example.com" });
    const back = await changeProvider(admin, "main", { origin: typed.origin });
    expect(back).toMatchObject({ secretDiscarded: false, provider: { origin: typed.origin, hasSecret: false } });
    expect(() => open(back.provider, old)).toThrow(/does not belong/);
  });

  test("RV-13: other models, or the same origin in other letters, keep the secret", async () => {
    const { admin, ciphertext, open } = await withSecret();
    const changed = await changeProvider(admin, "main", { origin: "https://API.example.com:443/v1/", models: ["*"] });
    expect(changed).toMatchObject({ secretDiscarded: false, provider: { hasSecret: true, models: ["*"] } });
    expect(open(changed.provider, ciphertext("main"))).toBe(secret);
  });

  test("RV-8: a change that changes nothing leaves no record and no generation", async () => {
    const { store, admin } = await withSecret();
    const { audit, generation } = store.rows();
    await changeProvider(admin, "main", { models: typed.models });
    expect([store.rows().audit.length, store.rows().generation]).toEqual([audit.length, generation]);
  });

  test("RV-13: another protocol is another provider", async () => {
    const { admin } = await withSecret();
    await expect(changeProvider(admin, "main", { protocol: "echo" })).rejects.toThrow(/^protocol: no such field/);
  });
});
