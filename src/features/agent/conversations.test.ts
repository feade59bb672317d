import { mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mountSmallDisk } from "../../../test/store/small-disk.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import type { SavedConversation } from "../../agent/talk/saved.ts";
import { createWorld } from "../../app/world/world.ts";
import { newConversationId, openConversations } from "./conversations.ts";

function conversationOf(changes: Partial<SavedConversation> = {}): SavedConversation {
  const id = "20260101-000000-000001";
  const times = { startedAt: 1, savedAt: 2 };
  const messages = [{ role: "user", content: "go" }] as const;
  return { id, workspace: "/work", model: "echo", ...times, messages, invocation: null, held: [], ...changes };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillward-conversations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Which files were read or written. */
function watched(files: Files & FilesToWrite): { files: Files & FilesToWrite; touched: string[] } {
  const touched: string[] = [];
  return {
    touched,
    files: {
      ...files,
      read: (path, max) => (touched.push(path), files.read(path, max)),
      writePrivate: (path, bytes) => (touched.push(path), files.writePrivate(path, bytes)),
    },
  };
}

describe("AG-8: conversations on a disk", () => {
  it("AG-8: come back as they were saved last, in files that nobody else can read", async () => {
    const folder = join(await temporaryFolder(), "conversations");
    const store = openConversations(createWorld().files, folder);
    const second = conversationOf({ messages: [{ role: "user", content: "go on" }], savedAt: 3 });
    await Promise.all([store.save(conversationOf()), store.save(second)]);
    expect(await store.load(second.id)).toEqual({ ...second, findings: [] });
    expect(await readdir(folder)).toEqual([`${second.id}.jsonl`]);
    const modes = await Promise.all([folder, join(folder, `${second.id}.jsonl`)].map((path) => stat(path)));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it("AG-8: a full disk refuses, and what was saved before is still there", async ({ skip }) => {
    const disk = await mountSmallDisk(256 * 1024);
    if (disk === undefined) return skip("no disk can be mounted here");
    onTestFinished(() => disk.remove());
    const store = openConversations(createWorld().files, join(disk.folder, "conversations"));
    await store.save(conversationOf());
    await disk.fill();
    const longer = conversationOf({ messages: [{ role: "user", content: "x".repeat(128 * 1024) }] });
    await expect(store.save(longer)).rejects.toMatchObject({ code: "disk.failed" });
    expect(await store.load(longer.id)).toMatchObject({ messages: [{ content: "go" }] });
    await disk.empty();
    await store.save(longer);
    expect(await store.load(longer.id)).toMatchObject(longer);
  });

  it("AG-8: a link in their place is not followed", async () => {
    const folder = await temporaryFolder();
    const { id } = conversationOf();
    await writeFile(join(folder, "elsewhere"), "{}");
    await symlink(join(folder, "elsewhere"), join(folder, `${id}.jsonl`));
    const store = openConversations(createWorld().files, folder);
    await expect(store.load(id)).rejects.toMatchObject({ code: "disk.failed" });
    expect(await store.latest("/work")).toBeNull();
  });
});

describe("AG-8: which conversation", () => {
  it.each([
    "",
    "../../etc/passwd",
    "20260101-000000-000001/../x",
    "20260101-000000-00000G",
    "20260101-000000-000001\n",
  ])("AG-8: %j names none, and no file is touched for it", async (id) => {
    const { files, touched } = watched(memoryFiles({}));
    const store = openConversations(files, "/kept");
    await expect(store.load(id)).rejects.toMatchObject({ code: "record.missing" });
    await expect(store.save(conversationOf({ id }))).rejects.toMatchObject({ code: "record.missing" });
    expect(touched).toEqual([]);
  });

  it("AG-8: one that is not there is missing; one that is another's or too large is refused", async () => {
    const { id } = conversationOf();
    const files = memoryFiles({});
    const store = openConversations(files, "/kept");
    await expect(store.load(id)).rejects.toMatchObject({ code: "record.missing" });
    await store.save(conversationOf());
    const other = "20260101-000000-000002";
    const bytes = await files.read(`/kept/${id}.jsonl`, 10_000);
    await files.write(`/kept/${other}.jsonl`, bytes instanceof Uint8Array ? bytes : new Uint8Array());
    await expect(store.load(other)).rejects.toMatchObject({
      code: "disk.failed",
      message: expect.stringContaining(id),
    });
    const large: Files & FilesToWrite = { ...files, read: async () => ({ size: 2 ** 40 }) };
    await expect(openConversations(large, "/kept").load(id)).rejects.toMatchObject({ code: "disk.failed" });
  });

  it("AG-8: the latest is the one that was saved last in that workspace, whatever else lies there", async () => {
    const files = memoryFiles({
      "/kept/20270101-000000-000001.jsonl": "rubbish",
      "/kept/20270101-000000-000002.jsonl": "",
      "/kept/notes.txt": "mine",
      "/kept/notes.jsonl": "mine",
    });
    const store = openConversations(files, "/kept");
    expect(await store.latest("/work")).toBeNull();
    const [first, second, elsewhere] = ["20260101-000000-000001", "20260102-000000-000001", "20260103-000000-000001"];
    await store.save(conversationOf({ id: first }));
    await store.save(conversationOf({ id: second }));
    await store.save(conversationOf({ id: elsewhere, workspace: "/other" }));
    expect([await store.latest("/work"), await store.latest("/other")]).toEqual([second, elsewhere]);
    await store.save(conversationOf({ id: first, savedAt: 9 }));
    expect(await store.latest("/work")).toBe(first);
    expect(await openConversations(files, "/nowhere").latest("/work")).toBeNull();
  });

  it("AG-8: only as many are read as it takes, and never more than a thousand", async () => {
    const { files, touched } = watched(memoryFiles({}));
    const store = openConversations(files, "/kept");
    const ids = Array.from({ length: 1_001 }, (_, at) => `20260101-000000-${at.toString(16).padStart(6, "0")}`);
    await store.save(conversationOf({ id: ids[0] ?? "" }));
    const other = conversationOf({ workspace: "/other" });
    for (const id of ids.slice(1)) await store.save({ ...other, id });
    touched.length = 0;
    expect([await store.latest("/other"), touched.length]).toEqual([ids.at(-1), 1]);
    touched.length = 0;
    expect([await store.latest("/work"), touched.length]).toEqual([null, 1_000]);
  });

  it("AG-8: a new id says when, and is one of its own", () => {
    const [clock, random] = [fixedClock(Date.UTC(2026, 1, 3, 4, 5, 6)), seededRandomness()];
    const ids = [newConversationId(clock, random), newConversationId(clock, random)];
    for (const id of ids) expect(id).toMatch(/^20260203-040506-[0-9a-f]{6}$/);
    expect(new Set(ids).size).toBe(2);
  });
});
