import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ada,
  currentOf,
  person,
  realWorld,
  type RegistryFolder,
  registryFolder,
  say,
  stateIn,
  statesIn,
  syncedRegistry,
  usableIn,
} from "../../../test/support/registry.ts";
import { AppError } from "../../core/error.ts";
import { staleAfter } from "./lock.ts";
import { addFolder, changeSource, listSources, removeSource } from "./sources.ts";
import { runSync } from "./sync.ts";
import { allow } from "../../../test/support/permits.ts";

const pdf = "skills:pdf";
type App = Awaited<ReturnType<typeof syncedRegistry>>["app"];
const sync = (app: App) => runSync(app.sync, allow(ada), "skills");

/** Everything that a sync could change, but for how the source says it went. */
async function keptIn(folder: RegistryFolder) {
  const tables = ["entries", "revisions", "blobs", "entry_revisions", "ledger", "audit", "store"];
  return tables.map((table) => folder.sql(`SELECT * FROM ${table} ORDER BY 1`));
}

async function sourceIn(app: App) {
  return (await listSources(app.sync, allow(ada, "read")))[0];
}

/** The disk, on which reading a skill waits until it may go on. */
function stoppedDisk() {
  let goOn = () => {};
  let reached = () => {};
  const stopped = new Promise<void>((resolve) => (reached = resolve));
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const read: (typeof realWorld.files)["read"] = async (path, max) => {
    if (path.endsWith("SKILL.md")) {
      reached();
      await opened;
    }
    return realWorld.files.read(path, max);
  };
  return { files: { ...realWorld.files, read }, goOn: () => goOn(), stopped };
}

describe("IN-17, IN-23: a sync", () => {
  test("brings the registry to what the folder holds, and says what it did", async () => {
    const { folder, app } = await syncedRegistry(["same", "moved", "gone"]);
    folder.writeSkill("moved", "Other words.\n");
    folder.removeSkill("gone");
    folder.writeSkill("fresh");
    const result = await sync(app);
    expect(result).toMatchObject({ source: "skills", status: "ok", created: 1, updated: 1, unchanged: 1, orphaned: 1 });
    expect(result).toMatchObject({ disabledOnChange: 0, held: 0, blocked: 0, requests: 0, findings: [] });
    expect(result.bytes).toBeGreaterThan(100);
    expect(await statesIn(app)).toEqual({
      "skills:fresh": "new",
      "skills:gone": "orphaned",
      "skills:moved": "new",
      "skills:same": "new",
    });
    expect(await sourceIn(app)).toMatchObject({ status: "ok", error: null, syncedAt: folder.clock.now() });
  });

  test("twice is once: no row, no record, no generation", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    const before = await keptIn(folder);
    folder.clock.advance(60_000);
    expect(await sync(app)).toMatchObject({ created: 0, updated: 0, unchanged: 2, orphaned: 0 });
    expect(await keptIn(folder)).toEqual(before);
  });

  test("IN-18: identity is the source and the path; a skill that moves is another one", async () => {
    const { folder, app } = await syncedRegistry(["pdf"]);
    await say(app, ada, "approve", pdf);
    renameSync(join(folder.skills, "pdf"), join(folder.skills, "pdf2"));
    expect(await sync(app)).toMatchObject({ created: 1, orphaned: 1 });
    expect(await statesIn(app)).toEqual({ "skills:pdf": "orphaned", "skills:pdf2": "new" });
  });

  test("IN-19: what comes in is not in use until somebody approves it", async () => {
    const { app } = await syncedRegistry(["pdf", "a/b/c"]);
    expect(await statesIn(app)).toEqual({ "skills:a/b/c": "new", "skills:pdf": "new" });
    expect(await usableIn(app)).toEqual([]);
  });

  test("a folder that is itself a skill is one entry", async () => {
    const folder = registryFolder();
    folder.write("skills/SKILL.md", "---\nname: skills\ndescription: One.\n---\nDo it.\n");
    const app = await folder.open();
    await addFolder(app.sync, allow(ada), folder.skills, {});
    expect(await sync(app)).toMatchObject({ created: 1 });
    expect(await statesIn(app)).toEqual({ "skills:": "new" });
  });

  test("RV-2: identical files are kept once, and every revision stays", async () => {
    const { folder, app } = await syncedRegistry(["pdf"]);
    cpSync(join(folder.skills, "pdf"), join(folder.skills, "copy"), { recursive: true });
    await sync(app);
    expect(folder.sql("SELECT count(*) AS count FROM blobs")).toEqual([{ count: 1 }]);
    folder.writeSkill("pdf", "Other words.\n");
    await sync(app);
    const kept = await app.kept.read.revisionsOf(pdf);
    expect(kept).toHaveLength(2);
    for (const { digest } of kept) expect((await app.registry.open(digest)).bundle?.digest).toBe(digest);
  });

  test("says who has a name that another has, in whatever source", async () => {
    const { folder, app } = await syncedRegistry(["pdf"]);
    folder.write("more/pdf/SKILL.md", "---\nname: PDF\ndescription: Another one.\n---\nDo it.\n");
    cpSync(join(folder.skills, "pdf"), join(folder.root, "more/copy"), { recursive: true });
    await addFolder(app.sync, allow(ada), join(folder.root, "more"), {});
    const { findings } = await runSync(app.sync, allow(ada), "more");
    expect(findings.map(({ code, at }) => `${code} ${at.file}`)).toEqual([
      "set.duplicate more:copy",
      "set.collision more:pdf",
    ]);
  });

  test("calls the place of a skill that is a source as a whole by its name", async () => {
    const folder = registryFolder();
    const text = "---\nname: skills\ndescription: One.\n---\nDo it.\n";
    folder.write("skills/SKILL.md", text);
    folder.write("more/skills/SKILL.md", text);
    const app = await folder.open();
    await addFolder(app.sync, allow(ada), folder.skills, {});
    await sync(app);
    await addFolder(app.sync, allow(ada), join(folder.root, "more"), {});
    const { findings } = await runSync(app.sync, allow(ada), "more");
    expect(findings).toMatchObject([{ message: '"skills" is byte for byte the skill in the root of skills' }]);
  });

  test("takes an admin, and a source that is there and switched on", async () => {
    const { folder, app } = await syncedRegistry(["pdf"]);
    const before = await keptIn(folder);
    for (const role of ["reader", "operator", "reviewer"] as const)
      await expect((async () => runSync(app.sync, allow(person("eve", role)), "skills"))()).rejects.toMatchObject({
        code: "auth.forbidden",
      });
    await expect(runSync(app.sync, allow(ada), "skils")).rejects.toThrow(
      'there is no source "skils"; there is: skills',
    );
    expect(await keptIn(folder)).toEqual(before);
    await changeSource(app.sync, allow(ada), "skills", { enabled: false });
    await expect(sync(app)).rejects.toMatchObject({ code: "usage.invalid" });
    expect((await sourceIn(app))?.status, "it was not even begun").toBe("ok");
  });
});

describe("IN-20: a change of an approved entry", () => {
  const changes: [string, (folder: RegistryFolder) => void][] = [
    ["its body", (folder) => folder.writeSkill("pdf", "Other words.\n")],
    ["only its header", (folder) => folder.writeSkill("pdf", "Do it.\n", "license: MIT\n")],
    ["only another file", (folder) => folder.write("skills/pdf/notes.md", "a note\n")],
  ];

  test.each(changes)("of %s puts it out of use, by on_change: disable", async (_, change) => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    change(folder);
    expect(await sync(app)).toMatchObject({ updated: 1, disabledOnChange: 1, held: 0 });
    expect(await stateIn(app, pdf)).toBe("pending");
    expect(await usableIn(app)).toEqual([]);
  });

  test.each(changes)("of %s leaves the approved revision in use, by on_change: hold", async (_, change) => {
    const { folder, app } = await syncedRegistry(["pdf"], { onChange: "hold" });
    const { digest } = await say(app, ada, "approve", pdf);
    change(folder);
    expect(await sync(app)).toMatchObject({ updated: 1, disabledOnChange: 0, held: 1 });
    const { snapshot } = await app.registry.look();
    expect(snapshot.usable.get(pdf)?.digest).toBe(digest);
  });

  test("back to the approved bytes is in use again, without another word", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    folder.writeSkill("pdf", "Other words.\n");
    await sync(app);
    folder.writeSkill("pdf");
    await sync(app);
    expect(await stateIn(app, pdf)).toBe("enabled");
  });

  test("that went away and came back is not in use again, with the very same bytes", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls"]);
    await say(app, ada, "approve", pdf);
    folder.removeSkill("pdf");
    expect(await sync(app)).toMatchObject({ orphaned: 1 });
    expect(await stateIn(app, pdf)).toBe("orphaned");
    expect(await sync(app), "once").toMatchObject({ orphaned: 0 });
    folder.writeSkill("pdf");
    expect(await sync(app)).toMatchObject({ created: 0, updated: 1 });
    expect(await stateIn(app, pdf)).toBe("pending");
    await say(app, ada, "approve", pdf);
    expect(await stateIn(app, pdf)).toBe("enabled");
  });

  test("a blocked one is counted", async () => {
    const { folder, app } = await syncedRegistry();
    folder.write("skills/pdf/scope.yaml", "nobody-reads-this: 1\n");
    expect(await sync(app)).toMatchObject({ updated: 1, blocked: 1 });
  });
});

describe("IN-21: what is orphaned", () => {
  test("nothing, when the folder is gone; the source says so until it is back", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    const before = await keptIn(folder);
    renameSync(folder.skills, `${folder.skills}-away`);
    await expect(sync(app)).rejects.toMatchObject({ code: "path.missing" });
    expect(await keptIn(folder)).toEqual(before);
    expect(await sourceIn(app)).toMatchObject({ status: "error", error: expect.stringContaining("no such path") });
    expect(await usableIn(app)).toEqual([pdf]);
    renameSync(`${folder.skills}-away`, folder.skills);
    expect(await sync(app)).toMatchObject({ status: "ok", unchanged: 1 });
    expect(await sourceIn(app)).toMatchObject({ status: "ok", error: null });
  });

  test("nothing, when the folder is a link now", async () => {
    const { folder, app } = await syncedRegistry();
    renameSync(folder.skills, `${folder.skills}-away`);
    mkdirSync(join(folder.root, "empty"));
    symlinkSync(join(folder.root, "empty"), folder.skills);
    await expect(sync(app)).rejects.toMatchObject({ code: "path.wrong-kind" });
    expect(await stateIn(app, pdf)).toBe("new");
  });

  test("an empty folder holds nothing: everything is", async () => {
    const { folder, app } = await syncedRegistry();
    folder.removeSkill("pdf");
    expect(await sync(app)).toMatchObject({ status: "ok", orphaned: 1 });
  });

  test("not a skill that cannot be parsed: it is there, and blocked", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    folder.write("skills/pdf/SKILL.md", "---\n: [broken\n---\n");
    expect(await sync(app)).toMatchObject({ orphaned: 0, updated: 1, blocked: 1 });
    expect(await stateIn(app, pdf)).toBe("blocked");
  });

  test("not a skill that cannot be read: its entry stays as it was, and the sync is partial", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    rmSync(join(folder.skills, "pdf/SKILL.md"));
    mkdirSync(join(folder.skills, "pdf/SKILL.md"));
    const { status, findings } = await sync(app);
    expect({ status, codes: findings.map(({ code }) => code) }).toEqual({ status: "partial", codes: ["sync.unread"] });
    expect(await usableIn(app)).toEqual([pdf]);
    expect((await sourceIn(app))?.status).toBe("partial");
  });

  test("nothing below a folder that cannot be listed", async () => {
    const { folder } = await syncedRegistry(["a/one", "a/two", "b"]);
    const list: (typeof realWorld.files)["list"] = (path, max) =>
      path.endsWith("/a")
        ? Promise.reject(new AppError("disk.failed", "permission denied"))
        : realWorld.files.list(path, max);
    folder.removeSkill("b");
    const blind = await folder.open({ world: { files: { ...realWorld.files, list } } });
    expect(await sync(blind)).toMatchObject({ status: "partial", orphaned: 1 });
    expect(await statesIn(blind)).toMatchObject({
      "skills:a/one": "new",
      "skills:a/two": "new",
      "skills:b": "orphaned",
    });
  });

  test("never deleted: its words, its revisions and its place in the audit stay", async () => {
    const { folder, app } = await syncedRegistry();
    const { digest } = await say(app, ada, "approve", pdf);
    folder.removeSkill("pdf");
    await sync(app);
    expect((await app.registry.open(digest)).bundle?.digest).toBe(digest);
    expect(await app.kept.read.ledgerOf(pdf)).toHaveLength(1);
    expect((await app.kept.read.auditAfter(0, 100)).at(-2)).toMatchObject({ act: "entry.orphaned", subject: pdf });
  });
});

describe("IN-16: the bounds of a sync", () => {
  const skills = ["a", "b", "c", "d"];
  const enough = { files: 1000, seconds: 120, bytes: 1e6 };

  test.each([
    ["files", { ...enough, files: 5 }, /more than 5 files; 2 of 4 skills/],
    ["bytes", { ...enough, bytes: 100 }, /more than 100 bytes; 1 of 4 skills/],
  ])("%s: partial, with a finding, and what was not visited stays", async (_, bounds, said) => {
    const { folder, app } = await syncedRegistry(skills);
    for (const skill of skills) folder.writeSkill(skill, "Other words.\n");
    for (const skill of skills) folder.write(`skills/${skill}/notes.md`, "");
    const before = await currentOf(app, "skills:d");
    await changeSource(app.sync, allow(ada), "skills", { bounds });
    const { status, orphaned, findings } = await sync(app);
    expect({ status, orphaned }).toEqual({ status: "partial", orphaned: 0 });
    expect(findings.map(({ message }) => message)).toEqual([expect.stringMatching(said)]);
    expect(await currentOf(app, "skills:d")).toBe(before);
    expect(await currentOf(app, "skills:a")).not.toBe(before);
    expect((await sourceIn(app))?.status).toBe("partial");
    await changeSource(app.sync, allow(ada), "skills", { bounds: null });
    expect(await sync(app)).toMatchObject({ status: "ok" });
  });

  test("seconds: by the clock", async () => {
    const { folder, app } = await syncedRegistry([]);
    for (const skill of skills) folder.writeSkill(skill);
    const result = await runSync(app.sync, allow(ada), "skills", { onProgress: () => folder.clock.advance(50_000) });
    expect(result).toMatchObject({ status: "partial", created: 2, orphaned: 0 });
    expect(result.findings[0]?.message).toMatch(/more than 120 seconds; 2 of 4/);
  });

  test("more skills than files may be: nothing is known of the rest, so nothing is orphaned", async () => {
    const { folder, app } = await syncedRegistry(skills);
    folder.removeSkill("d");
    for (const skill of ["0", "00", "000"]) folder.writeSkill(skill);
    await changeSource(app.sync, allow(ada), "skills", { bounds: { ...enough, files: 2 } });
    expect(await sync(app)).toMatchObject({ status: "partial", orphaned: 0 });
    expect(await stateIn(app, "skills:d")).toBe("new");
  });
});

describe("IN-22: the fingerprint of a publisher", () => {
  const byHand = (folder: RegistryFolder) =>
    execFileSync(
      "bash",
      [
        "-c",
        `find * -type f | LC_ALL=C sort | xargs sha256sum | sed -E 's/^([0-9a-f]{64})  (.*)$/\\2:\\1/' | LC_ALL=C sort | sha256sum`,
      ],
      {
        cwd: folder.skills,
        encoding: "utf8",
      },
    ).slice(0, 64);

  test("that fits lets the sync through", async () => {
    const { folder, app } = await syncedRegistry([]);
    folder.writeSkill("pdf");
    await changeSource(app.sync, allow(ada), "skills", { expectedFingerprint: byHand(folder) });
    expect(await sync(app)).toMatchObject({ status: "ok", created: 1 });
  });

  test("that does not changes nothing at all, and is in the audit", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    const expected = byHand(folder);
    await changeSource(app.sync, allow(ada), "skills", { expectedFingerprint: expected });
    folder.writeSkill("pdf", "Other words.\n");
    folder.writeSkill("more");
    // More than is held in memory: it must not be written before the fingerprint is known.
    for (const part of ["1", "2"]) folder.write(`skills/more/${part}.bin`, Buffer.alloc(3 * 2 ** 20, part));
    folder.writeSkill("zip");
    const [before, generation] = [await keptIn(folder), await app.kept.read.generation()];
    await expect(sync(app)).rejects.toMatchObject({
      code: "sync.fingerprint",
      message: expect.stringContaining(byHand(folder)),
    });
    const after = await keptIn(folder);
    const audit = after[5]?.splice(-1);
    expect(after).toEqual(before);
    expect(audit).toMatchObject([{ act: "source.refused", subject: "skills", by_whom: "ada" }]);
    expect(JSON.parse(String(audit?.[0]?.["details"]))).toEqual({ expected, found: byHand(folder) });
    expect(await app.kept.read.generation()).toBe(generation);
    expect(await usableIn(app)).toEqual([pdf]);
    expect(await sourceIn(app)).toMatchObject({ status: "error", error: expect.stringContaining("fingerprint") });
  });

  test("never fits what was read in part", async () => {
    const { folder, app } = await syncedRegistry(["a", "b"]);
    await changeSource(app.sync, allow(ada), "skills", {
      expectedFingerprint: byHand(folder),
      bounds: { files: 1, seconds: 120, bytes: 1e6 },
    });
    await expect(sync(app)).rejects.toMatchObject({ code: "sync.fingerprint" });
  });
});

describe("IN-15: two syncs of one source", () => {
  test("T41: of fifty at once one reads, and 49 are refused with the fixed message", async () => {
    let reads = 0;
    const read: (typeof realWorld.files)["read"] = (path, max) => {
      if (path.endsWith("pdf/SKILL.md")) reads++;
      return realWorld.files.read(path, max);
    };
    const { app } = await syncedRegistry(["pdf"], { world: { files: { ...realWorld.files, read } } });
    reads = 0;
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => sync(app)));
    const refused = results.filter((result) => result.status === "rejected").map(({ reason }) => reason.message);
    expect(refused).toEqual(Array.from({ length: 49 }, () => "a sync of skills is running; wait for it to end"));
    expect(reads).toBe(1);
    expect(await sourceIn(app)).toMatchObject({ status: "ok" });
  });

  test("one that stalls is taken over, and what it still wants to write is refused", async () => {
    const { folder, app } = await syncedRegistry();
    folder.writeSkill("pdf", "What the first one sees.\n");
    const disk = stoppedDisk();
    const stalled = await folder.open({ world: { files: disk.files } });
    const first = sync(stalled);
    await disk.stopped;
    await expect(sync(app)).rejects.toMatchObject({ code: "sync.running" });
    folder.clock.advance(staleAfter + 1);
    folder.writeSkill("xls");
    expect(await sync(app)).toMatchObject({ created: 1, updated: 1 });
    folder.removeSkill("xls");
    const before = await keptIn(folder);
    disk.goOn();
    await expect(first).rejects.toMatchObject({ code: "sync.superseded" });
    expect((await keptIn(folder)).with(1, []).with(2, [])).toEqual(before.with(1, []).with(2, []));
    expect(await sourceIn(app)).toMatchObject({ status: "ok", error: null });
  });

  test("one that crashed shows as an error with what to do, and can be run again", async () => {
    const { folder, app } = await syncedRegistry();
    const disk = stoppedDisk();
    const work = { name: "elsewhere:1:ab", end: () => {} };
    const holders = { self: "elsewhere:1", begin: () => work, mayRun: () => true };
    const crashed = await folder.open({ world: { files: disk.files, holders } });
    const first = sync(crashed);
    await disk.stopped;
    expect(await sourceIn(app)).toMatchObject({ status: "syncing", error: null });
    folder.clock.advance(staleAfter + 1);
    const error = "the last sync stopped before its end; run `skillward source sync skills` again";
    expect(await sourceIn(app)).toMatchObject({ status: "error", error });
    expect(await sync(app)).toMatchObject({ status: "ok" });
    expect(await sourceIn(app)).toMatchObject({ status: "ok", error: null });
    disk.goOn();
    await expect(first).rejects.toMatchObject({ code: "sync.superseded" });
  });

  test("a source that was removed and added again is not written to by a sync of the old one", async () => {
    const { folder, app } = await syncedRegistry();
    const disk = stoppedDisk();
    const stalled = await folder.open({ world: { files: disk.files } });
    folder.writeSkill("of-the-old-folder");
    const first = sync(stalled);
    await disk.stopped;
    folder.clock.advance(staleAfter + 1);
    await removeSource(app.sync, allow(ada), "skills");
    folder.write("new/xls/SKILL.md", "---\nname: xls\ndescription: New.\n---\nDo it.\n");
    await addFolder(app.sync, allow(ada), join(folder.root, "new"), { id: "skills" });
    disk.goOn();
    await expect(first).rejects.toMatchObject({ code: "sync.superseded" });
    expect(await statesIn(app)).toEqual({ "skills:pdf": "orphaned" });
    expect((await sourceIn(app))?.status).toBe("never");
  });

  test("a sync that fails leaves the lock free and the reason on the source", async () => {
    const { folder } = await syncedRegistry();
    const read = () => Promise.reject(new RangeError("out of luck"));
    const broken = await folder.open({ world: { files: { ...realWorld.files, list: read } } });
    await expect(sync(broken)).rejects.toThrow("out of luck");
    expect(await sourceIn(broken)).toMatchObject({ status: "error", error: "out of luck" });
    expect(await sync(await folder.open())).toMatchObject({ status: "ok" });
  });
});
