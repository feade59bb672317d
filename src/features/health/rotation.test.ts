import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fill } from "../../../test/registry/filled-store.ts";
import { type AppHome, newHome } from "../../../test/support/app-home.ts";
import { allow } from "../../../test/support/permits.ts";
import { ada, currentOf, say, usableIn } from "../../../test/support/registry.ts";
import type { App } from "../../app/app.ts";
import { decrypt, type KeyFile, loadKeys, parseKeyFile, signText } from "../../registry/keys.ts";
import { rowDigest } from "../../registry/ledger/ledger.ts";
import { sealSource } from "../../registry/source-seal.ts";
import { keepToken, openToken } from "../../registry/sync/remote.ts";
import { parseSource } from "../../sources/source.ts";
import { verifyStore } from "../audit/verification.ts";
import { adoptKeys, replaceKeyFile, rotateKeys, showKeys } from "./rotation.ts";

function keysIn(home: AppHome): KeyFile {
  return parseKeyFile(readFileSync(home.keyFile, "utf8"), "keys.json");
}

async function faults(home: AppHome): Promise<string[]> {
  const { parts } = await verifyStore(await home.inspect(), { all: true });
  return parts.flatMap(({ findings }) => findings.map(({ code }) => code));
}

async function secretOf(app: App, id: string): Promise<string> {
  const stored = await app.kept.read.findLlmRecord("provider", id);
  const { version } = JSON.parse(stored?.record ?? "{}");
  return decrypt(app.keys, stored?.secret ?? "", ["providers", id, version, "https://models.example.org"]);
}

/** A source of a repository with a token. */
async function addWithToken({ kept, keys, world }: App, id: string): Promise<void> {
  const url = `https://github.com/acme/${id}`;
  const bare = parseSource(id, JSON.stringify({ kind: "repo", url, hosts: "github.com", enabled: true }));
  await kept.transaction(async (port) => {
    const tokenRef = await keepToken(port, keys, world.random, bare, `token-of-${id}`);
    await port.putSource(sealSource(keys, { ...bare, tokenRef }));
  });
}

async function tokenOf({ kept, keys }: App, id: string): Promise<string | null> {
  const source = await kept.read.findSource(id);
  if (source === undefined) throw new Error(`no source ${id}`);
  return openToken(kept.read, keys, source);
}

describe.each(["SQLite", "PostgreSQL"] as const)("rotating the key file on %s", (engine) => {
  let filled: AppHome;
  beforeAll(async () => {
    filled = await newHome(engine);
    await fill(filled);
    await filled.close();
  });
  afterAll(() => filled.remove());

  test("T40: everything still verifies and works, and nothing in the store needs the old secret but summaries", async () => {
    const home = await filled.copy();
    const before = keysIn(home);
    const rotation = await rotateKeys(() => home.open());
    const after = keysIn(home);
    const counts = { users: 1, keys: 1, providers: 2, tokens: 0 };
    expect(rotation).toEqual({ signing: after.signing[0]?.id, isNew: true, ...counts, findings: [] });
    expect(after.signing.slice(1)).toEqual(before.signing.map(({ id, public: raw }) => ({ id, public: raw })));
    expect(after.secrets.slice(1)).toEqual(before.secrets);
    expect(await faults(home)).toEqual([]);

    const app = await home.open();
    expect(await usableIn(app)).toEqual(["skills:csv", "skills:pdf"]);
    expect([await secretOf(app, "one"), await secretOf(app, "two")]).toEqual(["secret-of-one", "secret-of-two"]);
    const [last] = await app.kept.read.findAudit({ limit: 1 });
    expect([last?.act, last?.by]).toEqual(["keys.rotated", "machine:tester"]);
    const newest = `${after.secrets[0]?.id}.`;
    const sealed = await home.sql(
      "SELECT seal AS mark FROM store UNION SELECT seal FROM users UNION SELECT seal FROM api_keys UNION SELECT secret FROM llm_records WHERE kind = 'provider'",
    );
    expect(sealed).toHaveLength(5);
    expect(sealed.filter(({ mark }) => !String(mark).startsWith(newest))).toEqual([]);
  });

  test("RV-3: old words are proven by the retired key, new ones by the new one", async () => {
    const home = await filled.copy();
    const [retired] = keysIn(home).signing;
    await rotateKeys(() => home.open());
    const app = await home.open();
    await say(app, ada, "disable", "skills:pdf");
    const rows = await app.kept.read.ledgerAfter(0, 10);
    expect(rows.map(({ key }) => key)).toEqual([retired?.id, retired?.id, keysIn(home).signing[0]?.id]);
    expect([await faults(home), await usableIn(app)]).toEqual([[], ["skills:csv"]]);
  });

  test("RV-3: the retired seed is nowhere any more: not in the file, not beside it, not in the store", async () => {
    const home = await filled.copy();
    const seed = keysIn(home).signing[0]?.seed ?? "";
    await rotateKeys(() => home.open());
    expect(seed).toHaveLength(44);
    expect(readFileSync(home.keyFile, "utf8")).not.toContain(seed);
    expect(readdirSync(dirname(home.keyFile))).toEqual(["keys.json"]);
    expect(statSync(home.keyFile).mode & 0o077).toBe(0);
  });

  test("RV-3: a process that still holds the old keys changes nothing any more; the old file opens nothing", async () => {
    const home = await filled.copy();
    copyFileSync(home.keyFile, home.path("stolen.json"));
    const running = await home.open();
    await rotateKeys(() => home.open());
    await expect(say(running, ada, "disable", "skills:pdf")).rejects.toMatchObject({ code: "keys.unusable" });
    await home.close();
    copyFileSync(home.path("stolen.json"), home.keyFile);
    await expect(home.open()).rejects.toMatchObject({ code: "keys.unusable" });
    await expect(home.inspect()).rejects.toMatchObject({ code: "keys.unusable" });
  });

  test("T40: stopped between the steps, the old file and the new one both open the store; asking again finishes", async () => {
    const home = await filled.copy();
    const oldFile = readFileSync(home.keyFile);
    await replaceKeyFile(await home.open(), allow(ada));
    const newFile = readFileSync(home.keyFile);
    expect(newFile.equals(oldFile)).toBe(false);
    for (const file of [oldFile, newFile]) {
      await home.close();
      writeFileSync(home.keyFile, file);
      expect([await faults(home), await usableIn(await home.open())]).toEqual([[], ["skills:csv", "skills:pdf"]]);
    }
    expect((await showKeys(await home.inspect())).isAdopted).toBe(false);
    // What is decided meanwhile is signed with the new key already.
    await say(await home.open(), ada, "disable", "skills:csv");
    const rotation = await rotateKeys(() => home.open());
    expect(rotation).toMatchObject({ isNew: false, users: 1, keys: 1, providers: 2 });
    expect(readFileSync(home.keyFile).equals(newFile)).toBe(true);
    expect((await showKeys(await home.inspect())).isAdopted).toBe(true);
    expect(await faults(home)).toEqual([]);
  });

  test("T40: of two at once, one is refused; the file that is left opens all there is", async () => {
    const home = await filled.copy();
    const [one, other] = [await home.open(), await home.open()];
    const ended = await Promise.allSettled([replaceKeyFile(one, allow(ada)), replaceKeyFile(other, allow(ada))]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await adoptKeys(await home.open(), allow(ada));
    expect([await faults(home), keysIn(home).signing.length]).toEqual([[], 2]);
  });

  test("T18: rotating makes no forged row a true one", async () => {
    const home = await filled.copy();
    await home.sql("UPDATE users SET role = 'admin'");
    await home.sql("UPDATE llm_records SET secret = 'x.y.z' WHERE kind = 'provider' AND id = 'one'");
    const { findings, ...counts } = await rotateKeys(() => home.open());
    expect(counts).toMatchObject({ users: 0, keys: 1, providers: 1 });
    expect(findings.map(({ code }) => code)).toEqual(["account.tampered", "provider.tampered"]);
    expect(await faults(home)).toEqual(["account.tampered", "provider.tampered"]);
  });

  test("T40: the tokens of sources follow; those that are not their sources' own are left, and said", async () => {
    const home = await filled.copy();
    const app = await home.open();
    for (const id of ["a", "b", "c", "d"]) await addWithToken(app, id);
    await home.close();
    await home.sql(
      "UPDATE secrets SET secret = (SELECT secret FROM secrets WHERE name = 'source:a') WHERE name = 'source:b'",
    );
    await home.sql("DELETE FROM sources WHERE id = 'c'");
    await home.sql("INSERT INTO secrets (name, secret) VALUES ('source:skills', 'x.y.z')");
    const before = await home.sql("SELECT name, secret FROM secrets ORDER BY name");
    const { tokens, findings } = await rotateKeys(() => home.open());
    expect(tokens).toBe(2);
    expect(findings.map(({ code, level, at }) => `${code} ${level} ${at.file}`)).toEqual([
      "token.tampered high secrets/source:b",
      "token.tampered high secrets/source:c",
      "token.tampered high secrets/source:skills",
    ]);
    expect(JSON.stringify(findings)).not.toContain("token-of");
    const after = await home.sql("SELECT name, secret FROM secrets ORDER BY name");
    const newest = `${keysIn(home).secrets[0]?.id}.`;
    const followed = after.filter(({ secret }) => String(secret).startsWith(newest)).map(({ name }) => name);
    expect(followed).toEqual(["source:a", "source:d"]);
    expect(after.filter((_, at) => at !== 0 && at !== 3)).toEqual(before.filter((_, at) => at !== 0 && at !== 3));
    const again = await home.open();
    expect([await tokenOf(again, "a"), await tokenOf(again, "d")]).toEqual(["token-of-a", "token-of-d"]);
    await expect(tokenOf(again, "b")).rejects.toMatchObject({ code: "keys.unusable" });
    const [last] = await again.kept.read.findAudit({ limit: 1, act: "keys.rotated" });
    expect(JSON.parse(last?.details ?? "{}")).toMatchObject({ tokens: 2, left: 3 });
  });

  test("T18: a word that was signed with the retired key after it was retired is found", async () => {
    const home = await filled.copy();
    const stolen = loadKeys(keysIn(home));
    await rotateKeys(() => home.open());
    const app = await home.open();
    const [, last] = await app.kept.read.ledgerAfter(0, 10);
    const said = JSON.parse(last?.payload ?? "{}");
    const prev = last === undefined ? "" : rowDigest(last);
    const payload = JSON.stringify({ ...said, seq: 3, prev, digest: await currentOf(app, said.entry) });
    const { key, signature } = signText(stolen, payload);
    await home.sql(
      `INSERT INTO ledger (seq, subject, payload, key_id, signature) VALUES (3, '${said.entry}', '${payload}', '${key}', '${signature}')`,
    );
    expect(await faults(home)).toContain("ledger.retired-key");
  });
});

test("RV-12: only an admin sees or rotates the keys, and never sees a secret", async () => {
  const home = await newHome("SQLite");
  await fill(home);
  const inspection = await home.inspect();
  const shown = JSON.stringify(await showKeys(inspection));
  for (const { key } of keysIn(home).secrets) expect(shown).not.toContain(key);
  expect(shown).not.toContain(keysIn(home).signing[0]?.seed ?? "-");
  const person = { name: "grace", role: "reader", configurations: null } as const;
  await expect(showKeys({ ...inspection, person })).rejects.toMatchObject({ code: "auth.forbidden" });
  const asReader = async () => ({ ...(await home.open()), person });
  const file = readFileSync(home.keyFile);
  await expect(rotateKeys(asReader)).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(readFileSync(home.keyFile).equals(file)).toBe(true);
  await home.remove();
});
