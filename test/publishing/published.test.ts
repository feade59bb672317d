import { describe, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { asPerson } from "../../src/app/as-person.ts";
import { PublicShelf } from "../../src/features/publishing/public-shelf.ts";
import { listPublished, publishSkill, unpublishSkill } from "../../src/features/publishing/flow.ts";
import { parseDetails } from "../../src/registry/audit/audit.ts";
import { switchOff, switchOn } from "../../src/workspace/published.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { ada, currentOf, person, say, syncedRegistry } from "../support/registry.ts";
import { approved, entry, said, servedNames } from "./published-room.ts";
import { allow } from "../support/permits.ts";

describe("SV-6: a skill is published by an admin's word on it", () => {
  test("nothing is until it is switched on; both ways are in the audit chain and make a generation", async () => {
    const { folder, app } = await approved();
    expect([await servedNames(app), await listPublished(app)]).toEqual([[], []]);
    const before = await app.kept.read.generation();
    const line = await publishSkill(app, "pdf");
    const digest = await currentOf(app, entry);
    expect(line).toEqual({
      entry,
      name: "pdf",
      digest,
      at: folder.clock.now(),
      by: "machine:tester",
      findings: [],
    });
    expect([await servedNames(app), await listPublished(app)]).toEqual([["pdf"], [line]]);
    await expect(publishSkill(app, entry)).rejects.toMatchObject({ code: "record.exists" });
    expect(await unpublishSkill(app, "pdf")).toEqual({ entry });
    expect([await servedNames(app), await listPublished(app)]).toEqual([[], []]);
    await expect(unpublishSkill(app, "pdf")).rejects.toMatchObject({ code: "record.missing" });
    const records = await app.kept.read.findAudit({ act: "skill.", limit: 10 });
    expect(records.map(({ act, subject, by }) => [act, subject, by])).toEqual([
      ["skill.unpublished", entry, "machine:tester"],
      ["skill.published", entry, "machine:tester"],
    ]);
    expect(records.map(parseDetails)).toEqual([{}, {}]);
    expect(await app.kept.read.generation()).toBe(before + 2);
  });

  test.each(["operator", "reviewer", "reader"] as const)("RV-12: not by a %s", async (role) => {
    const { app } = await approved();
    await publishSkill(app, "pdf");
    const other = asPerson(app, person("ben", role));
    const generation = await app.kept.read.generation();
    await expect(publishSkill(other, "pdf")).rejects.toMatchObject({ code: "auth.forbidden" });
    await expect(unpublishSkill(other, "pdf")).rejects.toMatchObject({ code: "auth.forbidden" });
    const context = { kept: app.kept, keys: app.keys, clock: app.world.clock };
    for (const act of [switchOn, switchOff])
      await expect(
        (async () => act({ ...context, permit: allow(other.person) }, "skills:pdf"))(),
      ).rejects.toMatchObject({
        code: "auth.forbidden",
      });
    expect([await app.kept.read.generation(), await servedNames(app)]).toEqual([generation, ["pdf"]]);
    expect(await listPublished(other)).toHaveLength(1);
  });

  test("only what may be used now, and can stand in the index", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "new", "rejected"]);
    folder.write(`skills/pdf/${"a".repeat(101)}`, "x");
    await runSync(app.sync, allow(ada), "skills");
    await say(app, ada, "approve", entry);
    await say(app, ada, "reject", "skills:rejected");
    for (const [typed, why] of [
      ["new", /it is new/],
      ["rejected", /it is disabled/],
      ["pdf", /too long for the archives/],
    ] as const)
      await expect(publishSkill(app, typed)).rejects.toMatchObject({
        code: "entry.unusable",
        message: expect.stringMatching(why),
      });
    await expect(publishSkill(app, "nobody")).rejects.toMatchObject({ code: "record.missing" });
    expect([await listPublished(app), await app.kept.read.findAudit({ act: "skill.", limit: 9 })]).toEqual([[], []]);
  });

  test("what may not be used any more is not served, and is again by itself when it may", async () => {
    const { folder, app } = await approved();
    const first = await publishSkill(app, "pdf");
    await say(app, ada, "disable", entry);
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.unusable"] }]);
    expect((await listPublished(app))[0]).toMatchObject({ entry, name: "pdf", digest: null });
    await say(app, ada, "approve", entry);
    expect([await servedNames(app), await said(app)]).toEqual([["pdf"], { [entry]: [] }]);
    folder.writeSkill("pdf", "Do it otherwise.\n");
    await runSync(app.sync, allow(ada), "skills");
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.unusable"] }]);
    await say(app, ada, "approve", entry);
    const [again] = await listPublished(app);
    expect(again?.digest).toBe(await currentOf(app, entry));
    expect(again?.digest).not.toBe(first.digest);
    folder.removeSkill("pdf");
    await runSync(app.sync, allow(ada), "skills");
    expect([await servedNames(app), await said(app)]).toEqual([[], { [entry]: ["published.unusable"] }]);
    await unpublishSkill(app, entry);
    expect(await listPublished(app)).toEqual([]);
  });

  test("on `hold` what is approved is served while the new revision waits", async () => {
    const { folder, app } = await syncedRegistry(["pdf"], { onChange: "hold" });
    await say(app, ada, "approve", entry);
    const { digest } = await publishSkill(app, "pdf");
    folder.writeSkill("pdf", "Nobody has seen this.\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await listPublished(app)).toMatchObject([{ digest, findings: [] }]);
    const file = await new PublicShelf(app).file("pdf", "SKILL.md");
    expect(Buffer.from(file?.bytes ?? []).toString()).not.toContain("Nobody has seen this");
  });

  test("SK-15: of two with one name the more trusted is served, of equals the first; the other is said to be left out", async () => {
    const { folder, app } = await approved();
    for (const [id, trust] of [
      ["other", "verified"],
      ["zother", "verified"],
    ] as const) {
      folder.write(`${id}/pdf/SKILL.md`, `---\nname: pdf\ndescription: The one of ${id}.\n---\nDo it.\n`);
      await addFolder(app.sync, allow(ada), `${folder.root}/${id}`, { id, trust });
      await runSync(app.sync, allow(ada), id);
      await say(app, ada, "approve", `${id}:pdf`);
    }
    await publishSkill(app, entry);
    const strongest = await publishSkill(app, "zother:pdf");
    expect(strongest.findings).toEqual([]);
    const first = await publishSkill(app, "other:pdf");
    expect(first.findings).toEqual([]);
    expect(await said(app)).toEqual({
      "other:pdf": [],
      [entry]: ["published.twin"],
      "zother:pdf": ["published.twin"],
    });
    const { bytes } = await new PublicShelf(app).index();
    expect(JSON.parse(Buffer.from(bytes).toString()).skills).toMatchObject([{ description: "The one of other." }]);
    await unpublishSkill(app, "other:pdf");
    expect(await said(app)).toEqual({ [entry]: ["published.twin"], "zother:pdf": [] });
  });
});

describe("SV-6: the shelf of a node", () => {
  test("is made once, however many ask, and again with every generation", async () => {
    const { app } = await approved();
    await publishSkill(app, "pdf");
    let uses = 0;
    const registry = {
      ...app.registry,
      use: (...asked: Parameters<App["registry"]["use"]>) => (uses++, app.registry.use(...asked)),
    };
    const shelf = new PublicShelf({ ...app, registry });
    const all = await Promise.all(Array.from({ length: 50 }, () => shelf.index()));
    expect([uses, new Set(all.map(({ digest }) => digest)).size]).toEqual([1, 1]);
    await shelf.index();
    expect(uses).toBe(1);
    await unpublishSkill(app, "pdf");
    expect((await shelf.index()).digest).not.toBe(all[0]?.digest);
  });

  test("invariant 8: what is disabled while it is made is not on it", async () => {
    const { app } = await approved();
    await publishSkill(app, "pdf");
    let isFirst = true;
    const listing = async () => {
      const rows = await app.kept.read.listPublished();
      if (isFirst) await say(app, ada, "disable", entry);
      isFirst = false;
      return rows;
    };
    const kept = { ...app.kept, read: { ...app.kept.read, listPublished: listing } };
    expect(await servedNames({ ...app, kept })).toEqual([]);
  });

  test("a store that fails is tried again", async () => {
    const { app } = await approved();
    await publishSkill(app, "pdf");
    let broken = true;
    const look = () => (broken ? Promise.reject(new Error("away")) : app.registry.look());
    const shelf = new PublicShelf({ ...app, registry: { ...app.registry, look } });
    await expect(shelf.index()).rejects.toThrow("away");
    broken = false;
    expect(JSON.parse(Buffer.from((await shelf.index()).bytes).toString()).skills).toHaveLength(1);
  });
});
