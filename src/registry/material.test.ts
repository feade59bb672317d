import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { appHome, type AppHome } from "../../test/support/app-home.ts";
import { loosenTypes } from "../../test/support/loose-types.ts";
import { ada, bob, say } from "../../test/support/registry.ts";
import { setDigest, sha256 } from "../core/digest.ts";
import { compositionKey, sealText } from "./keys.ts";
import { type MaterialRow, readMaterials } from "./material.ts";
import { addFolder } from "./sync/sources.ts";
import { runSync } from "./sync/sync.ts";
import { allow } from "../../test/support/permits.ts";

type App = Awaited<ReturnType<AppHome["open"]>>;

const [pdf, csv] = ["skills:pdf", "skills:csv"];

/** Two skills that may be used; `pdf` was approved, switched off and approved again. */
async function approved(engine?: "SQLite" | "PostgreSQL", config?: string): Promise<{ home: AppHome; app: App }> {
  const home = await appHome(engine);
  if (config !== undefined) home.write(".config/skillward/config.yaml", config);
  home.writeSkill("pdf");
  home.write("skills/pdf/references/more.md", "More.\n");
  home.writeSkill("csv", "Count the columns.\n");
  const app = await home.open();
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  for (const word of ["approve", "disable", "approve"] as const) await say(app, ada, word, pdf);
  await say(app, ada, "approve", csv);
  if (config !== undefined) for (const entry of [pdf, csv]) await say(app, bob, "approve", entry);
  return { home, app };
}

async function usableIn(app: App) {
  return [...(await app.registry.look()).snapshot.usable.values()];
}

const faultsIn = (materials: ReadonlyMap<string, MaterialRow>) =>
  Object.fromEntries([...materials].map(([id, { faults }]) => [id, faults]));

const decision = "a decision that it rests on is gone or was changed by hand";
const latest = "seq = (SELECT max(seq) FROM ledger WHERE subject = 'skills:pdf')";
const files = "UPDATE revisions SET files =";

/** By hand in the database, in what is of `pdf` alone. */
const tampering: readonly (readonly [what: string, sql: string, fault: string])[] = [
  [
    "a summary",
    "UPDATE revisions SET summary = replace(summary, 'What pdf', 'Obey pdf')",
    "its row was changed by hand",
  ],
  ["a name for another", "UPDATE revisions SET folder = 'other' WHERE folder = 'pdf'", "its row was changed by hand"],
  ["a revision removed", "DELETE FROM revisions WHERE folder = 'pdf'", "its revision is not kept any more"],
  ["a list that is none", `${files} 'nothing' WHERE folder = 'pdf'`, "its list of files was changed by hand"],
  ["an empty list", `${files} '[]' WHERE folder = 'pdf'`, "its list of files was changed by hand"],
  [
    "a digest of no file",
    `${files} '[{"path":"SKILL.md","digest":"\\u0000\\ud800","size":1}]' WHERE folder = 'pdf'`,
    "its list of files was changed by hand",
  ],
  [
    "a digest in capitals",
    `${files} replace(upper(files), '"PATH":"SKILL.MD","DIGEST":', '"path":"SKILL.md","digest":') WHERE folder = 'pdf'`,
    "its list of files was changed by hand",
  ],
  [
    "bytes that nobody has",
    `${files} '[{"path":"SKILL.md","digest":"${"0".repeat(64)}","size":1}]' WHERE folder = 'pdf'`,
    "the bytes of its SKILL.md are missing",
  ],
  ["a decision removed", `DELETE FROM ledger WHERE ${latest}`, decision],
  ["a decision edited", `UPDATE ledger SET payload = replace(payload, 'looked', 'loked') WHERE ${latest}`, decision],
  ["a decision that is none", `UPDATE ledger SET payload = '[]' WHERE ${latest}`, decision],
  ["a signature edited", `UPDATE ledger SET signature = 'AAAA' WHERE ${latest}`, decision],
  ["a decision given to another", `UPDATE ledger SET subject = 'skills:csv' WHERE ${latest}`, decision],
];

describe.each(["SQLite", "PostgreSQL"] as const)("the material of entries on %s", (engine) => {
  test("CO-2: is what the store holds at this moment: the list of files and the bytes of SKILL.md", async () => {
    const { app } = await approved(engine);
    const usable = await usableIn(app);
    const materials = await readMaterials(app, usable);
    expect([...materials.keys()].toSorted()).toEqual([csv, pdf]);
    for (const { id, digest } of usable) {
      const { files: listed = [], skill, faults } = materials.get(id) ?? {};
      const ofSkill = listed.find(({ path }) => path === "SKILL.md")?.digest;
      expect([setDigest(listed), sha256(skill ?? new Uint8Array()), faults]).toEqual([digest, ofSkill, []]);
    }
    expect(materials.get(pdf)?.files.map(({ path }) => path)).toEqual(["SKILL.md", "references/more.md"]);
  });

  test("CO-2: takes three queries, however many entries there are", async () => {
    const { app } = await approved(engine);
    const usable = await usableIn(app);
    const asked: string[] = [];
    const read = new Proxy(app.kept.read, {
      get(target, method) {
        asked.push(String(method));
        return Reflect.get(target, method);
      },
    });
    const many = Array.from({ length: 100 }, () => usable).flat();
    expect((await readMaterials({ kept: { read }, keys: app.keys }, many)).size).toBe(2);
    expect(asked.toSorted()).toEqual(["findBlobs", "findRevisions", "ledgerOfAll"]);
    expect(await readMaterials(app, [])).toEqual(new Map());
  });

  test("T17, T18: a row that was changed by hand is a fault of its entry, and of no other", async () => {
    const { home, app } = await approved(engine);
    const usable = await usableIn(app);
    const tables = ["revisions", "ledger"];
    for (const table of tables) await home.sql(`CREATE TABLE whole_${table} AS SELECT * FROM ${table}`);
    for (const [what, sql, fault] of tampering) {
      await home.sql(sql);
      expect([what, faultsIn(await readMaterials(app, usable))]).toEqual([what, { [csv]: [], [pdf]: [fault] }]);
      for (const table of tables) {
        await home.sql(`DELETE FROM ${table}`);
        await home.sql(`INSERT INTO ${table} SELECT * FROM whole_${table}`);
      }
    }
    expect(faultsIn(await readMaterials(app, usable))).toEqual({ [csv]: [], [pdf]: [] });
  });

  test("T18: each of the decisions that it rests on must be there", async () => {
    const { home, app } = await approved(engine, "review:\n  decisions:\n    community: 2\n");
    const usable = await usableIn(app);
    expect(usable.map(({ approvals }) => approvals.length)).toEqual([2, 2]);
    expect(faultsIn(await readMaterials(app, usable))).toEqual({ [csv]: [], [pdf]: [] });
    await home.sql("DELETE FROM ledger WHERE seq = (SELECT min(seq) FROM ledger WHERE subject = 'skills:csv')");
    expect(faultsIn(await readMaterials(app, usable))).toEqual({ [csv]: [decision], [pdf]: [] });
    const onNone = usable.map((each) => Object.assign({}, each, { approvals: [] }));
    expect(faultsIn(await readMaterials(app, onNone))).toEqual({ [csv]: [decision], [pdf]: [decision] });
  });

  test("RV-10: a word that another node said since takes it back, before the next generation is seen", async () => {
    const { home, app } = await approved(engine);
    const usable = await usableIn(app);
    const other = await home.open();
    await say(other, bob, "disable", pdf);
    await say(other, bob, "reject", csv);
    const fault = "a decision that it rests on was taken back";
    expect(faultsIn(await readMaterials(app, usable))).toEqual({ [csv]: [fault], [pdf]: [fault] });
  });

  test("T18: an older word that is put there again, or one that nobody signed, takes nothing back", async () => {
    const { home, app } = await approved(engine);
    const usable = await usableIn(app);
    const copy = "seq, subject, payload, key_id, signature";
    const isDisable = `payload LIKE '%"word":"disable"%'`;
    await home.sql(
      `INSERT INTO ledger (${copy}) SELECT 99, subject, payload, key_id, signature FROM ledger WHERE ${isDisable}`,
    );
    await home.sql(
      `INSERT INTO ledger (${copy}) SELECT 98, subject, replace(payload, '"seq":2', '"seq":98'), key_id, signature FROM ledger WHERE seq = 99`,
    );
    expect(await home.sql(`SELECT 1 FROM ledger WHERE payload LIKE '%"seq":98%' AND ${isDisable}`)).toHaveLength(1);
    expect(faultsIn(await readMaterials(app, usable))).toEqual({ [csv]: [], [pdf]: [] });
  });
});

test.each([
  "revisions.files",
  "revisions.seal",
  "revisions.summary",
  "revisions.folder",
  "blobs.bytes",
  "ledger.payload",
])("T17: in %s something that is neither a text nor bytes: it is not used, and nothing is thrown", async (cell) => {
  const { home, app } = await approved();
  const usable = await usableIn(app);
  const [table, column] = cell.split(".");
  loosenTypes(home.path("data/skillward.db"));
  for (const value of [column === "bytes" ? "'text'" : "x'00ff'", "1e300"]) {
    await home.sql(`UPDATE ${table} SET ${column} = ${value}`);
    const faults = faultsIn(await readMaterials(app, usable));
    expect([faults[csv]?.length, faults[pdf]?.length]).toEqual([1, 1]);
  }
});

test("T17: a store that fails throws, and is not taken for one that is empty", async () => {
  const { home, app } = await approved();
  const usable = await usableIn(app);
  await home.sql("ALTER TABLE blobs RENAME TO away");
  await expect(readMaterials(app, usable)).rejects.toThrow(/blobs/);
});

test("CO-3: the key of compositions is the same for everybody with the key file, and no other's", async () => {
  const { home, app } = await approved();
  const again = await home.open();
  expect(compositionKey(again.keys)).toEqual(compositionKey(app.keys));
  expect(compositionKey(app.keys)).toHaveLength(32);
  // One purpose, one key: what is made with it says nothing about seals.
  const mark = createHmac("sha256", compositionKey(app.keys)).update("text").digest("base64url");
  expect(sealText(app.keys, "text")).not.toContain(mark);
  const { app: other } = await approved();
  const secrets = [...app.keys.secrets.values(), compositionKey(other.keys)].map((key) => Buffer.from(key));
  expect(secrets).not.toContainEqual(Buffer.from(compositionKey(app.keys)));
});
