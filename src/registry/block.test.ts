import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ada,
  currentOf,
  person,
  say,
  stateIn,
  statesIn,
  syncedRegistry,
  usableIn,
} from "../../test/support/registry.ts";
import { setBlock } from "./decide.ts";
import type { BlockKind } from "./ledger/decision.ts";
import { addFolder } from "./sync/sources.ts";
import { runSync } from "./sync/sync.ts";
import { allow } from "../../test/support/permits.ts";

type App = Awaited<ReturnType<typeof syncedRegistry>>["app"];
const ids = ["copy:pdf", "copy:xls", "skills:pdf", "skills:xls"];

/** Two sources with the same two skills, all four approved. */
async function twoSources() {
  const { folder, app } = await syncedRegistry(["pdf", "xls"]);
  cpSync(folder.skills, join(folder.root, "copy"), { recursive: true });
  await addFolder(app.sync, allow(ada), join(folder.root, "copy"), { id: "copy" });
  await runSync(app.sync, allow(ada), "copy");
  for (const id of ids) await say(app, ada, "approve", id);
  expect(await usableIn(app)).toEqual(ids);
  return { folder, app };
}

function block(app: App, kind: BlockKind, value: string, word: "block" | "unblock" = "block") {
  return setBlock(app.review, allow(ada), { word, kind, value, note: "malware" });
}

describe("RV-9: a block", () => {
  test("by digest holds across sources, and lifting it brings back what was approved", async () => {
    const { app } = await twoSources();
    const digest = await currentOf(app, "skills:pdf");
    await block(app, "digest", digest);
    expect(await usableIn(app)).toEqual(["copy:xls", "skills:xls"]);
    const { snapshot } = await app.registry.look();
    expect(snapshot.standings.get("copy:pdf")?.reason).toBe("it is on the block list by its digest: malware");
    await expect(app.registry.use(snapshot, "copy:pdf")).rejects.toMatchObject({ code: "entry.unusable" });
    await block(app, "digest", digest, "unblock");
    expect(await usableIn(app)).toEqual(ids);
  });

  test.each<[BlockKind, string, string[]]>([
    ["entry", "skills:pdf", ["copy:pdf", "copy:xls", "skills:xls"]],
    ["source", "skills", ["copy:pdf", "copy:xls"]],
    ["repository", "42", ids],
  ])("by %s holds for what fits, and for nothing else", async (kind, value, left) => {
    const { app } = await twoSources();
    await block(app, kind, value);
    expect(await usableIn(app)).toEqual(left);
  });

  test("by repository holds for every source of it", async () => {
    const { folder, app } = await twoSources();
    folder.sql("UPDATE entries SET repository_id = 42 WHERE path = 'pdf'");
    const fresh = await folder.open();
    await block(fresh, "repository", "42");
    expect(await usableIn(fresh)).toEqual(["copy:xls", "skills:xls"]);
    expect(await stateIn(app, "skills:xls")).toBe("enabled");
  });

  test("is there before what it is about, and for every process", async () => {
    const { folder, app } = await syncedRegistry(["pdf"]);
    const other = await folder.open();
    await other.registry.look();
    await block(app, "digest", await currentOf(app, "skills:pdf"));
    cpSync(folder.skills, join(folder.root, "copy"), { recursive: true });
    await addFolder(app.sync, allow(ada), join(folder.root, "copy"), { id: "copy" });
    const { blocked } = await runSync(app.sync, allow(ada), "copy");
    expect(blocked).toBe(1);
    expect(await statesIn(other)).toEqual({ "copy:pdf": "blocked", "skills:pdf": "blocked" });
  });

  test("of the current digest does not reach a held one, of the held one it does", async () => {
    const { folder, app } = await syncedRegistry(["pdf"], { onChange: "hold" });
    await say(app, ada, "approve", "skills:pdf");
    const approved = await currentOf(app, "skills:pdf");
    folder.writeSkill("pdf", "Do something else.\n");
    await runSync(app.sync, allow(ada), "skills");
    await block(app, "digest", await currentOf(app, "skills:pdf"));
    expect(await stateIn(app, "skills:pdf")).toBe("held");
    await block(app, "digest", approved);
    expect(await stateIn(app, "skills:pdf")).toBe("blocked");
  });

  test("is a signed link of the chain and an audit record, like a decision", async () => {
    const { app } = await twoSources();
    const said = await block(app, "source", "skills");
    const [row] = await app.kept.read.ledgerTop(1);
    expect(row).toMatchObject({ seq: said.seq, subject: "source:skills" });
    const audit = await app.kept.read.auditAfter(0, 100);
    expect(audit.at(-1)).toMatchObject({ act: "block.added", subject: "source:skills", by: "ada" });
  });

  test("takes a reason, and an admin", async () => {
    const { app } = await syncedRegistry();
    const before = await app.kept.read.auditHead();
    const wanted = { word: "block", kind: "source", value: "skills", note: " " } as const;
    await expect(setBlock(app.review, allow(ada), wanted)).rejects.toMatchObject({ code: "usage.invalid" });
    for (const role of ["reader", "operator", "reviewer"] as const)
      await expect(
        (async () => setBlock(app.review, allow(person("eve", role)), { ...wanted, note: "why" }))(),
      ).rejects.toMatchObject({
        code: "auth.forbidden",
      });
    expect(await app.kept.read.auditHead()).toEqual(before);
    expect(await stateIn(app, "skills:pdf")).toBe("new");
  });
});
