import { hash } from "node:crypto";
import { cpSync, existsSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHome, newHome } from "../../../test/support/app-home.ts";
import { fill } from "../../../test/registry/filled-store.ts";
import { ada, say } from "../../../test/support/registry.ts";
import { recordUsage } from "../../registry/usage/usage.ts";
import type { Inspection } from "../../app/inspect.ts";
import { verifyStore } from "./verification.ts";
import { partNames } from "./checking.ts";

/** What was found, part by part. */
async function codesOf(opened: Inspection, all = false): Promise<Record<string, string[]>> {
  const { parts } = await verifyStore(opened, { all });
  const faulty = parts.filter(({ found }) => found > 0);
  return Object.fromEntries(faulty.map(({ part, findings }) => [part, findings.map(({ code }) => code)]));
}

const audited = "UPDATE audit SET";

/** By hand in the database: what it takes, in which part it is found, and by which name. */
const tampering: readonly (readonly [what: string, sql: string, found: Record<string, string[]>])[] = [
  ["an audit record edited", `${audited} by_whom = 'eve' WHERE seq = 3`, { audit: ["audit.changed"] }],
  ["an audit record removed", "DELETE FROM audit WHERE seq = 3", { audit: ["audit.removed"] }],
  ["a number beyond all bounds", `${audited} at = 9223372036854775807 WHERE seq = 3`, { audit: ["audit.changed"] }],
  [
    "the end of the chain cut off",
    "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)",
    { checkpoint: ["checkpoint.refused"], audit: ["audit.truncated"] },
  ],
  [
    "a signature replaced",
    "UPDATE ledger SET signature = 'AAAA' WHERE seq = 1",
    { ledger: ["ledger.lost", "ledger.forged", "ledger.signature"] },
  ],
  ["a use edited", "UPDATE usage SET conversation = 'another' WHERE number = 0", { usage: ["usage.changed"] }],
  ["a denied tool renamed", "UPDATE usage SET tool = 'read' WHERE tool = 'shell'", { usage: ["usage.changed"] }],
  ["a denied tool hidden", "UPDATE usage SET tool = NULL WHERE tool = 'shell'", { usage: ["usage.changed"] }],
  ["a tool made up", "UPDATE usage SET tool = '' WHERE event = 'injected'", { usage: ["usage.changed"] }],
  ["a batch removed", "DELETE FROM usage_batches WHERE id = 'batch-new'", { usage: ["usage.missing", "usage.stray"] }],
  [
    "a batch made up",
    "INSERT INTO usage_batches (id, node, at, size, hash) VALUES ('made-up', 'n', 1, 0, '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945')",
    { usage: ["usage.unrecorded"] },
  ],
  [
    "a batch emptied as if by retention",
    "UPDATE usage_batches SET expired_at = 1 WHERE id = 'batch-new'",
    { usage: ["usage.stray", "usage.hidden"] },
  ],
  ["the time of a batch", "UPDATE usage_batches SET at = at - 1 WHERE id = 'batch-new'", { usage: ["usage.changed"] }],
  [
    "the summary of a revision",
    "UPDATE revisions SET summary = replace(summary, 'What pdf does', 'Obey')",
    { summaries: ["revision.summary"] },
  ],
  ["a user made admin", "UPDATE users SET role = 'admin'", { users: ["account.tampered"] }],
  ["a key made admin", "UPDATE api_keys SET role = 'admin'", { keys: ["account.tampered"] }],
  [
    "the secrets of two providers swapped",
    "UPDATE llm_records SET secret = (SELECT max(secret) FROM llm_records WHERE kind = 'provider') WHERE kind = 'provider'",
    { providers: ["provider.tampered"] },
  ],
  [
    "a token that nobody set",
    "INSERT INTO secrets (name, secret) VALUES ('source:skills', 'made.up.here')",
    { tokens: ["token.tampered"] },
  ],
  [
    "a skill that nobody published",
    "INSERT INTO published (entry, at, by_whom, seal) VALUES ('skills:pdf', 1, 'ada', 'made.up')",
    { published: ["published.tampered"] },
  ],
];

describe.each(["SQLite", "PostgreSQL"] as const)("verifyStore on %s", (engine) => {
  let filled: AppHome;
  beforeAll(async () => {
    filled = await newHome(engine);
    await fill(filled);
    await filled.close();
  });
  afterAll(() => filled.remove());

  test("RV-8: counts what it verified, in order, and finds nothing in a store nobody touched", async () => {
    const home = await filled.copy();
    const seen: string[] = [];
    const onProgress = (part: string) => void (seen.at(-1) === part || seen.push(part));
    const { parts, passes } = await verifyStore(await home.inspect(), { onProgress });
    expect(parts.map(({ part }) => part)).toEqual(partNames);
    expect(parts.flatMap(({ findings }) => findings)).toEqual([]);
    expect(passes).toBe(true);
    const records = Number((await home.sql("SELECT count(*) AS n FROM audit"))[0]?.["n"]);
    expect(parts.map(({ checked }) => checked)).toEqual([1, records, 2, 2, 2, 2, 1, 1, 2, 0, 0, 3]);
    expect(parts[3]?.note).toContain("1 of them have expired");
    expect(seen).toEqual(["audit", "ledger", "usage", "revisions", "summaries", "entries"]);
  });

  test.each(tampering)("T17, T18, T19, T40: %s is found and named", async (_, sql, found) => {
    const home = await filled.copy();
    await home.sql(sql);
    expect(await codesOf(await home.inspect())).toEqual(found);
  });

  test("invariant 1: bytes of a revision in use are read and hashed; of one that is not, with --all", async () => {
    const home = await filled.copy();
    const tampered = hash("sha256", home.read("skills/csv/SKILL.md"));
    const other = `SELECT bytes FROM blobs WHERE digest <> '${tampered}'`;
    await home.sql(`UPDATE blobs SET bytes = (${other}) WHERE digest = '${tampered}'`);
    expect(await codesOf(await home.inspect())).toEqual({ revisions: ["revision.tampered"] });
    await say(await home.open(), ada, "disable", "skills:csv");
    expect(await codesOf(await home.inspect())).toEqual({});
    expect(await codesOf(await home.inspect(), true)).toEqual({ revisions: ["revision.tampered"] });
  });

  test("RV-8: a part that cannot be read does not keep the others from being verified", async () => {
    const home = await filled.copy();
    await home.sql("UPDATE sources SET record = 'nothing'");
    await home.sql("UPDATE users SET role = 'admin'");
    const codes = await codesOf(await home.inspect());
    expect(codes).toEqual({
      revisions: ["revisions.unreadable"],
      summaries: ["summaries.unreadable"],
      users: ["account.tampered"],
      entries: ["entries.unreadable"],
    });
  });

  test("T19: a chain that was computed anew as a whole does not lead to the checkpoint", async () => {
    const home = await filled.copy();
    await home.sql("UPDATE audit SET hash = prev");
    const codes = await codesOf(await home.inspect());
    expect(codes["checkpoint"]).toEqual(["checkpoint.refused"]);
    expect(codes["audit"]).toEqual(["audit.changed"]);
  });

  test("RV-8: a batch that came in while the chain was walked is no finding", async () => {
    const home = await filled.copy();
    const app = await home.open();
    const inspection = await home.inspect();
    const at = home.clock.now();
    let isWritten = false;
    const write = async () => recordUsage(app.kept, { id: "batch-late", node: "n", at, records: [], injections: [] });
    const port = {
      ...inspection.kept.read,
      usageBatches: async (page: { after: string; limit: number }) => {
        if (!isWritten) await write();
        isWritten = true;
        return inspection.kept.read.usageBatches(page);
      },
    };
    const { parts } = await verifyStore({ ...inspection, kept: { ...inspection.kept, read: port } });
    expect(parts.find(({ part }) => part === "usage")).toMatchObject({ checked: 3, found: 0 });
  });
});

describe("verifyStore", () => {
  test("T19: the store that every other command refuses is the one it works on", async () => {
    const home = await newHome("SQLite");
    await fill(home);
    const older = await home.copy();
    const again = await home.open();
    await say(again, ada, "disable", "skills:pdf");
    await home.close();
    for (const file of ["skillward.db", "skillward.db-wal", "skillward.db-shm"]) {
      rmSync(home.path(`data/${file}`), { force: true });
      if (existsSync(older.path(`data/${file}`))) cpSync(older.path(`data/${file}`), home.path(`data/${file}`));
    }
    await expect(home.open()).rejects.toMatchObject({ code: "store.rolled-back" });
    const codes = await codesOf(await home.inspect());
    expect(codes).toMatchObject({ checkpoint: ["checkpoint.refused"], audit: ["audit.truncated"] });
    await home.remove();
  });

  test("T19: without a checkpoint nothing outside the database vouches for it, and that is said", async () => {
    const home = await newHome("SQLite");
    await fill(home);
    await home.close();
    rmSync(home.path("data/checkpoints"), { recursive: true });
    expect(await codesOf(await home.inspect())).toEqual({ checkpoint: ["checkpoint.missing"] });
    const id = (await home.sql("SELECT id FROM store"))[0]?.["id"];
    home.write(`data/checkpoints/${String(id)}.json`, "{}");
    expect(await codesOf(await home.inspect())).toEqual({ checkpoint: ["checkpoint.refused"] });
    await home.remove();
  });

  test("RV-12: one who is limited to some configurations does not read the audit", async () => {
    const home = await newHome("SQLite");
    await fill(home);
    const inspection = await home.inspect();
    const person = { name: "key:shop", role: "reader", configurations: ["shop"] } as const;
    await expect(verifyStore({ ...inspection, person })).rejects.toMatchObject({ code: "auth.forbidden" });
    await home.remove();
  });
});
