import { describe, expect, test } from "vitest";
import { PublicShelf } from "../../src/features/publishing/public-shelf.ts";
import { listPublished, publishSkill, unpublishSkill } from "../../src/features/publishing/flow.ts";
import { auditHash } from "../../src/registry/audit/audit.ts";
import { sealText } from "../../src/registry/keys.ts";
import { loosenTypes } from "../support/loose-types.ts";
import type { RegistryFolder } from "../support/registry.ts";
import { approved, entry, said, servedNames } from "./published-room.ts";

describe("T17, T18: what a hand in the database does publishes nothing", () => {
  const forge = (folder: RegistryFolder, values: readonly (string | number)[]) =>
    folder.sql("INSERT INTO published (entry, at, by_whom, seal) VALUES (?, ?, ?, ?)", ...values);

  test("a row without a seal, with another's, and for another entry", async () => {
    const { folder, app } = await approved(["pdf", "xlsx"]);
    await publishSkill(app, "xlsx");
    const { at, seal } = (await app.kept.read.findPublished("skills:xlsx")) ?? { at: 0, seal: "" };
    for (const forged of ["", "k.rubbish", seal]) {
      forge(folder, [entry, at, "machine:tester", forged]);
      expect([await servedNames(app), (await said(app))[entry]]).toEqual([["xlsx"], ["published.tampered"]]);
      expect(await new PublicShelf(app).file("pdf", "SKILL.md")).toBeUndefined();
      folder.sql("DELETE FROM published WHERE entry = ?", entry);
    }
    for (const edit of ["by_whom = 'somebody'", "at = at + 1", "seal = 'k.rubbish'"]) {
      const [row = {}] = folder.sql("SELECT * FROM published");
      folder.sql(`UPDATE published SET ${edit}`);
      expect([await servedNames(app), await said(app)]).toEqual([[], { "skills:xlsx": ["published.tampered"] }]);
      folder.sql("DELETE FROM published");
      forge(folder, Object.values(row) as (string | number)[]);
    }
    expect(await servedNames(app)).toEqual(["xlsx"]);
  });

  test("a row with a record in the audit chain that fits: whoever can count can make both", async () => {
    const { folder, app } = await approved();
    const { seq, hash } = await app.kept.read.auditHead();
    const body = { seq: seq + 1, at: 1, by: "ada", act: "skill.published", subject: entry, details: "{}", prev: hash };
    const { by, ...same } = body;
    const record = { ...same, by_whom: by, hash: auditHash(body) };
    const marks = Object.keys(record).map(() => "?");
    folder.sql(
      `INSERT INTO audit (${Object.keys(record).join(", ")}) VALUES (${marks.join(", ")})`,
      ...Object.values(record),
    );
    forge(folder, [entry, 1, "ada", "k.rubbish"]);
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.tampered"] }]);
  });

  test("a true row that was taken away and is put back", async () => {
    const { folder, app } = await approved();
    await publishSkill(app, "pdf");
    const [row = {}] = folder.sql("SELECT * FROM published");
    await unpublishSkill(app, "pdf");
    forge(folder, Object.values(row) as (string | number)[]);
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.tampered"] }]);
    // A node that has followed the chain all along sees the same.
    const shelf = new PublicShelf(app);
    expect(await shelf.file("pdf", "SKILL.md")).toBeUndefined();
    await publishSkill(app, "pdf");
    expect(await shelf.file("pdf", "SKILL.md")).toBeDefined();
    await unpublishSkill(app, "pdf");
    forge(folder, Object.values(row) as (string | number)[]);
    expect(await shelf.file("pdf", "SKILL.md")).toBeUndefined();
  });

  test("a row whose seal is right, and of which the audit chain knows nothing", async () => {
    const { folder, app } = await approved();
    const text = JSON.stringify(["published", { at: 1, by: "ada", entry }]);
    forge(folder, [entry, 1, "ada", sealText(app.keys, text)]);
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.tampered"] }]);
  });

  test("such a row is taken away by unpublishing, or replaced by publishing", async () => {
    const { folder, app } = await approved();
    forge(folder, [entry, 1, "ada", "x"]);
    await publishSkill(app, "pdf");
    expect(await said(app)).toEqual({ [entry]: [] });
    forge(folder, ["skills:gone", 1, "ada", "x"]);
    await unpublishSkill(app, "skills:gone");
    expect(await said(app)).toEqual({ [entry]: [] });
  });

  test("rows that are rubbish stop nobody", async () => {
    const { folder, app } = await approved();
    await publishSkill(app, "pdf");
    loosenTypes(folder.database);
    folder.sql("INSERT INTO published VALUES (?, 'soon', x'00ff', 7)", "a\u202eb");
    const lines = await listPublished(app);
    expect(lines.map(({ entry: id, at, by }) => [id, at, by])).toEqual([
      ["a\u202eb", 0, ""],
      [entry, folder.clock.now(), "machine:tester"],
    ]);
    expect(await servedNames(app)).toEqual(["pdf"]);
  });

  test.each([
    ["the bytes of a file", "UPDATE blobs SET bytes = x'00'"],
    ["the bytes, gone", "DELETE FROM blobs"],
    ["the list of files", "UPDATE revisions SET files = '[]'"],
    ["the revision, gone", "DELETE FROM revisions"],
  ])("%s: nothing is served of it, also by a node that served it before", async (_what, attack) => {
    const { folder, app } = await approved();
    await publishSkill(app, "pdf");
    const shelf = new PublicShelf(app);
    expect(await shelf.file("pdf", "SKILL.md")).toBeDefined();
    folder.sql(attack);
    expect(await shelf.file("pdf", "SKILL.md")).toBeUndefined();
    expect(await servedNames(app)).toEqual([]);
    expect(await said(app)).toEqual({ [entry]: ["published.bytes"] });
    folder.clock.advance(60_000);
    expect(Buffer.from((await shelf.index()).bytes).toString()).not.toContain("pdf");
  });
});
