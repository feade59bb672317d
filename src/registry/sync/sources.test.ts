import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { ada, person, registryFolder, say, stateIn, statesIn, syncedRegistry } from "../../../test/support/registry.ts";
import { AppError } from "../../core/error.ts";
import { addFolder, changeSource, listSources, removeSource } from "./sources.ts";
import { runSync } from "./sync.ts";
import { allow } from "../../../test/support/permits.ts";

const pdf = "skills:pdf";
type App = Awaited<ReturnType<typeof syncedRegistry>>["app"];

/** How it was refused, and whether a source or a record of it is there all the same. */
async function refusal(app: App, act: () => Promise<unknown>) {
  const keptIn = async ({ kept }: App) => [await kept.read.listSources(), await kept.read.auditHead()];
  const before = await keptIn(app);
  const error: unknown = await act().catch((refusedBy: unknown) => refusedBy);
  const { code, message } = error instanceof AppError ? error : { code: "none", message: String(error) };
  return { code, message, changed: !isDeepStrictEqual(await keptIn(app), before) };
}

function refused(code: string, why: RegExp) {
  return { code, message: expect.stringMatching(why), changed: false };
}

describe("IN-1: adding a folder", () => {
  test("keeps it with the safest settings, says who added it, and reads nothing yet", async () => {
    const folder = registryFolder();
    folder.writeSkill("pdf");
    const app = await folder.open();
    const source = await addFolder(app.sync, allow(ada), folder.skills, {});
    expect(source).toMatchObject({ id: "skills", title: "skills", kind: "folder", url: folder.skills, addedBy: "ada" });
    expect(source).toMatchObject({ trust: "community", onChange: "disable", enabled: true, approveOnAdd: false });
    expect(source).toMatchObject({ status: "never", syncedAt: null, bounds: null, expectedFingerprint: null });
    expect(await app.kept.read.listSources()).toEqual([source]);
    expect(await statesIn(app)).toEqual({});
    const [, record] = await app.kept.read.auditAfter(0, 10);
    expect(record).toMatchObject({ act: "source.added", subject: "skills", by: "ada", at: folder.clock.now() });
  });

  test("keeps the real path behind a link", async () => {
    const folder = registryFolder();
    symlinkSync(folder.skills, join(folder.root, "link"));
    const app = await folder.open();
    expect((await addFolder(app.sync, allow(ada), join(folder.root, "link"), { id: "linked" })).url).toBe(
      folder.skills,
    );
    expect(await refusal(app, () => addFolder(app.sync, allow(ada), folder.skills, {}))).toEqual(
      refused("record.exists", /is the source linked already/),
    );
  });

  test.each([
    ["My Skills", "my-skills"],
    ["ünï--code__Test", "n-code-test"],
    ["日本", "folder"],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
  ])("gives the folder %j the id %j", async (name, id) => {
    const folder = registryFolder();
    mkdirSync(join(folder.root, name));
    const app = await folder.open();
    expect((await addFolder(app.sync, allow(ada), join(folder.root, name), {})).id).toBe(id);
  });

  test.each(["", "Skills", "a:b", "../x", "a--b", "-a", "a".repeat(65), "source", "session", "built-in", "a\u202eb"])(
    "refuses the id %j and says what one looks like",
    async (id) => {
      const folder = registryFolder();
      const app = await folder.open();
      const why = /cannot be the id of a source: lowercase letters.*; give another one$/;
      expect(await refusal(app, () => addFolder(app.sync, allow(ada), folder.skills, { id }))).toEqual(
        refused("usage.invalid", why),
      );
    },
  );

  test("refuses what is not a folder, or not there, or there already", async () => {
    const { folder, app } = await syncedRegistry();
    const at = (path: string) => join(folder.root, path);
    mkdirSync(at("other"));
    expect(await refusal(app, () => addFolder(app.sync, allow(ada), at("none"), {}))).toEqual(
      refused("path.missing", /no such path/),
    );
    expect(await refusal(app, () => addFolder(app.sync, allow(ada), at("skills/pdf/SKILL.md"), {}))).toEqual(
      refused("path.wrong-kind", /not a folder/),
    );
    expect(await refusal(app, () => addFolder(app.sync, allow(ada), at("other"), { id: "skills" }))).toEqual(
      refused("record.exists", /there is a source skills already/),
    );
  });

  test.each(["reader", "operator", "reviewer"] as const)("RV-12: a %s changes no source", async (role) => {
    const { folder, app } = await syncedRegistry();
    const eve = person("eve", role);
    mkdirSync(join(folder.root, "other"));
    for (const act of [
      async () => addFolder(app.sync, allow(eve), join(folder.root, "other"), {}),
      async () => changeSource(app.sync, allow(eve), "skills", { trust: "first_party" }),
      async () => removeSource(app.sync, allow(eve), "skills"),
    ])
      expect(await refusal(app, act)).toEqual(refused("auth.forbidden", /takes the role admin/));
    expect(await listSources(app.sync, allow(eve, "read")), "but may see them").toHaveLength(1);
  });
});

describe("IN-1: changing a source", () => {
  test("counts from here on and is recorded; the same again is nothing", async () => {
    const { app } = await syncedRegistry();
    const changed = await changeSource(app.sync, allow(ada), "skills", { trust: "verified", onChange: "hold" });
    expect(changed).toMatchObject({ trust: "verified", onChange: "hold", addedBy: "ada" });
    const head = await app.kept.read.auditHead();
    const [record] = await app.kept.read.auditAfter(head.seq - 1, 1);
    expect(record).toMatchObject({ act: "source.changed", subject: "skills" });
    expect(JSON.parse(record?.details ?? "")).toMatchObject({ changed: ["trust", "onChange"] });
    await changeSource(app.sync, allow(ada), "skills", { trust: "verified" });
    expect(await app.kept.read.auditHead()).toEqual(head);
  });

  test("the same bounds again are the same", async () => {
    const { app } = await syncedRegistry();
    const bounds = { files: 10, seconds: 10, bytes: 1000 };
    await changeSource(app.sync, allow(ada), "skills", { bounds });
    const head = await app.kept.read.auditHead();
    await changeSource(app.sync, allow(ada), "skills", { bounds: { ...bounds } });
    expect(await app.kept.read.auditHead()).toEqual(head);
  });

  test("RV-1: on_change counts at once for what moved already", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    folder.writeSkill("pdf", "Other words.\n");
    await runSync(app.sync, allow(ada), "skills");
    expect(await stateIn(app, pdf)).toBe("pending");
    await changeSource(app.sync, allow(ada), "skills", { onChange: "hold" });
    expect(await stateIn(app, pdf)).toBe("held");
  });

  test("that is not there is refused, with those that are", async () => {
    const { app } = await syncedRegistry();
    expect(await refusal(app, () => changeSource(app.sync, allow(ada), "x\u202e", { trust: "verified" }))).toEqual(
      refused("record.missing", /no source "x\\u\{202e\}"; there is: skills/),
    );
    await removeSource(app.sync, allow(ada), "skills");
    expect(await refusal(app, () => removeSource(app.sync, allow(ada), "skills"))).toEqual(
      refused("record.missing", /there is none yet: `skillward source add owner\/repo`/),
    );
  });
});

describe("IN-21: removing a source", () => {
  test("orphans its entries, keeps them with their words, and is recorded", async () => {
    const { app } = await syncedRegistry(["pdf", "xls"]);
    const { digest } = await say(app, ada, "approve", pdf);
    expect(await removeSource(app.sync, allow(ada), "skills")).toBe(2);
    expect(await statesIn(app)).toEqual({ "skills:pdf": "orphaned", "skills:xls": "orphaned" });
    expect((await app.registry.open(digest)).bundle?.digest).toBe(digest);
    const acts = (await app.kept.read.auditAfter(0, 100)).slice(-3).map(({ act, subject }) => `${act} ${subject}`);
    expect(acts).toEqual(["entry.orphaned skills:pdf", "entry.orphaned skills:xls", "source.removed skills"]);
  });

  test("and adding it again does not bring back what was approved", async () => {
    const { folder, app } = await syncedRegistry();
    await say(app, ada, "approve", pdf);
    await removeSource(app.sync, allow(ada), "skills");
    await addFolder(app.sync, allow(ada), folder.skills, {});
    expect(await stateIn(app, pdf), "before the first sync").toBe("orphaned");
    await runSync(app.sync, allow(ada), "skills");
    expect(await stateIn(app, pdf)).toBe("pending");
  });

  test("while it is synced is refused", async () => {
    const { app } = await syncedRegistry();
    const lock = { source: "skills", token: 9, holder: "elsewhere:1:ab", takenAt: 0, beatAt: app.world.clock.now() };
    await app.kept.transaction((port) => port.putLock(lock));
    expect(await refusal(app, () => removeSource(app.sync, allow(ada), "skills"))).toEqual(
      refused("sync.running", /a sync of skills is running/),
    );
  });
});
