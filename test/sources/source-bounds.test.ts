import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { setSource } from "../../src/features/sources/flow.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import type { Timer } from "../../src/core/world.ts";
import { ada, currentOf, say, skillText, stateIn, statesIn, usableIn } from "../support/registry.ts";
import { added, asked, notSynced, skillFiles, synced } from "../support/remote.ts";
import { codesOf, hastyTimer, keptIn, sourceIn, wrongBytes, siteOf } from "../support/source-real-git.ts";
import type { SourceAddition } from "../../src/features/sources/schema.ts";

const pdf = "skills:skills/pdf";
const csv = "skills:skills/csv";
const treesAsked = /^api \S*\/git\/trees\//;

function named(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `s${String(at).padStart(3, "0")}`);
}

describe("IN-16: bounds", () => {
  test.each<[string, SourceAddition, number]>([
    ["files", { maxFiles: 4 }, 4],
    ["bytes", { maxBytes: 5 * Buffer.byteLength(skillText("s000")) }, 5],
  ])("of %s make it partial; each next sync goes on from there until all is read", async (_, wishes, each) => {
    const { app, repository, github } = await siteOf(skillFiles(named(12)));
    const first = await added(app, "acme/skills", wishes);
    expect(first).toMatchObject({ status: "partial", created: each, orphaned: 0 });
    expect(codesOf(first.findings)).toEqual(["walk.bounds"]);
    expect(first.findings[0]?.message).toMatch(new RegExp(`${each} of 12 skills were read`));
    expect((await sourceIn(app, "skills")).status).toBe("partial");
    let syncs = 1;
    for (let status = "partial"; status === "partial"; syncs++) status = (await synced(app, "skills")).status;
    expect(syncs).toBe(Math.ceil(12 / each));
    expect(Object.keys(await statesIn(app))).toHaveLength(12);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    const since = github.requests.length;
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", unchanged: 12, requests: 2 });
    expect(github.requests.length - since).toBe(2);
  });

  test("protect what was not visited: an approved skill that changed beyond them stays as it was", async () => {
    const { app, repository } = await siteOf(skillFiles(named(6)));
    await added(app, "acme/skills");
    for (const name of ["s001", "s004"]) await say(app, ada, "approve", `skills:skills/${name}`);
    await setSource(app, "skills", { maxFiles: 2 });
    const changes = named(6).map((name) => [`skills/${name}/SKILL.md`, skillText(name, "Changed.\n")]);
    await repository.push(Object.fromEntries(changes));
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", updated: 2, orphaned: 0 });
    expect(await statesIn(app)).toMatchObject({ "skills:skills/s001": "pending", "skills:skills/s004": "enabled" });
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", updated: 2 });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 2 });
    expect(await stateIn(app, "skills:skills/s004")).toBe("pending");
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("a push between two parts: the rest comes from the new commit, each skill from one", async () => {
    const { app, repository } = await siteOf(skillFiles(named(4)));
    expect(await added(app, "acme/skills", { maxFiles: 2 })).toMatchObject({ status: "partial", created: 2 });
    const now = await repository.push({ "skills/s000/SKILL.md": skillText("s000", "New.\n") });
    expect(await synced(app, "skills")).toMatchObject({ status: "partial", created: 1, updated: 1, pin: now });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", created: 1, pin: now });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  /** A deadline of so many milliseconds comes when the test says so. */
  function deadlineTimer(milliseconds: number): { timer: Timer; strike: () => void } {
    const acts = new Set<() => void>();
    const every: Timer["every"] = (time, act) => {
      if (time !== milliseconds) return hastyTimer.every(time, act);
      acts.add(act);
      return { stop: () => void acts.delete(act) };
    };
    return { timer: { ...hastyTimer, every }, strike: () => acts.forEach((act) => act()) };
  }

  test("of seconds end what takes too long; what was read until then counts", async () => {
    const { timer, strike } = deadlineTimer(7000);
    // It stalls in the middle of what is long, which belongs to the second one.
    const files = { ...skillFiles(named(3)), "skills/s001/assets/long.bin": incompressible(100_000) };
    const { app, repository, github } = await siteOf(files, { world: { timer } });
    await addSource(app, "acme/skills", { maxSeconds: 7, sync: false });
    github.next({ on: "codeload", how: "stall" });
    let read = 0;
    const reading = syncSources(app, ["skills"], { onProgress: (_, { done }) => void (read = done) });
    await expect.poll(() => read).toBe(2);
    strike();
    const message = expect.stringMatching(/more than 7 seconds; 1 of 3 skills were read/);
    expect((await reading).results).toMatchObject([
      { status: "partial", created: 1, orphaned: 0, findings: [{ code: "walk.bounds", message }] },
    ]);
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", created: 2, unchanged: 1 });
    expect(await wrongBytes(app, "skills", repository)).toEqual([]);
  });

  test("of seconds before anything is known are an error, and nothing changes", async () => {
    const { timer, strike } = deadlineTimer(7000);
    const { app, repository, github, folder } = await siteOf(skillFiles(["pdf", "csv"]), { world: { timer } });
    await added(app, "acme/skills", { maxSeconds: 7 });
    await say(app, ada, "approve", pdf);
    await repository.push({ "skills/pdf": null });
    const before = keptIn(folder);
    github.next({ on: treesAsked, how: "stall" });
    const since = github.requests.length;
    const reading = notSynced(app, "skills");
    await expect.poll(() => asked(github, since).some((path) => treesAsked.test(path))).toBe(true);
    strike();
    expect(await reading).toMatchObject({ code: "upstream.timeout", message: expect.stringMatching(/--max-seconds/) });
    expect(keptIn(folder)).toEqual(before);
    expect(await usableIn(app)).toEqual([pdf]);
  });
});

/** Bytes that look like chance, the same every time. */
function incompressible(size: number): Buffer {
  const parts = Array.from({ length: Math.ceil(size / 64) }, (_, at) => createHash("sha512").update(`${at}`).digest());
  return Buffer.concat(parts).subarray(0, size);
}

describe("IN-21: presence", () => {
  test("what is gone is orphaned and kept; what comes back waits for a word", async () => {
    const { app, repository, github } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const digest = await currentOf(app, pdf);
    await repository.push({ "skills/pdf": null });
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", orphaned: 1, unchanged: 1 });
    expect(await statesIn(app)).toEqual({ [pdf]: "orphaned", [csv]: "new" });
    expect(await app.kept.read.findRevisions([digest]), "nothing is deleted").toHaveLength(1);
    expect(await synced(app, "skills")).toMatchObject({ requests: 2, orphaned: 0 });
    await repository.push(skillFiles(["pdf"]));
    expect(await synced(app, "skills")).toMatchObject({ status: "ok", updated: 1 });
    expect(await statesIn(app), "the same bytes, but they were away").toEqual({ [pdf]: "pending", [csv]: "new" });
    await say(app, ada, "approve", pdf);
    expect(await usableIn(app)).toEqual([pdf]);
    expect(github.requests.every(({ status }) => status < 500)).toBe(true);
  });

  test.each([
    ["cannot be parsed", "---\nname: [\n---\nBroken\n", "ok", "blocked"],
    ["is too large to be read", skillText("pdf", "x".repeat(2 ** 20)), "partial", "enabled"],
  ])("one that is there and %s is not orphaned", async (_, text, status, state) => {
    const { app, repository } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    await repository.push({ "skills/pdf/SKILL.md": text });
    expect(await synced(app, "skills")).toMatchObject({ status, orphaned: 0 });
    expect(await stateIn(app, pdf)).toBe(state);
    await repository.push(skillFiles(["pdf"]));
    await synced(app, "skills");
    expect(await stateIn(app, pdf), "and is what it was when it is well again").toBe("enabled");
  });

  test.each(["disable", "hold"] as const)("IN-20: what changes goes by on_change: %s", async (onChange) => {
    const { app, repository } = await siteOf({ ...skillFiles(["pdf"]), "skills/pdf/a.md": "One.\n" });
    await added(app, "acme/skills", { onChange });
    await say(app, ada, "approve", pdf);
    const approved = await currentOf(app, pdf);
    await repository.push({ "skills/pdf/a.md": "Two.\n" });
    const result = await synced(app, "skills");
    const held = onChange === "hold";
    expect(result).toMatchObject({ updated: 1, disabledOnChange: held ? 0 : 1, held: held ? 1 : 0 });
    expect(await stateIn(app, pdf)).toBe(held ? "held" : "pending");
    const { usable } = (await app.registry.look()).snapshot;
    expect(usable.get(pdf)?.digest).toBe(held ? approved : undefined);
  });

  test("a fatal error orphans nothing and moves no pin", async () => {
    const { app, repository, folder, github } = await siteOf(skillFiles(["pdf", "csv"]));
    await added(app, "acme/skills");
    await say(app, ada, "approve", pdf);
    const before = keptIn(folder);
    await repository.deleteBranch("main");
    await notSynced(app, "skills");
    github.misbehave({ rate: 1, random: () => 0, faults: [{ how: { status: 500 } }] });
    await notSynced(app, "skills");
    expect(keptIn(folder)).toEqual(before);
    expect(await statesIn(app)).toEqual({ [pdf]: "enabled", [csv]: "new" });
  });

  test("a `file` source whose file is gone is an error; its skill stays", async () => {
    const { app, repository, folder } = await siteOf(skillFiles(["pdf", "csv"]));
    await addSource(app, "acme/skills/skills/pdf/SKILL.md", { approve: true });
    const before = keptIn(folder);
    await repository.push({ "skills/pdf": null });
    expect(await notSynced(app, "pdf")).toMatchObject({ code: "source.missing" });
    expect(keptIn(folder)).toEqual(before);
    expect(await statesIn(app)).toEqual({ "pdf:skills/pdf": "enabled" });
  });
});
