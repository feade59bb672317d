import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Digest, sha256 } from "../../core/digest.ts";
import { createWorld } from "../world/world.ts";
import { BodyCache } from "./body-cache.ts";

const never = new AbortController().signal;

function room(mostBytes?: number) {
  const root = mkdtempSync(join(tmpdir(), "skillward-cache-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "cache");
  const cache = new BodyCache(createWorld().files, folder, mostBytes);
  return { root, folder, cache, there: () => readdirSync(folder).toSorted() };
}

/** A store with these bodies, and what was asked of it. */
function storeOf(...texts: string[]) {
  const bodies = new Map<Digest, Uint8Array>(texts.map((text) => [sha256(Buffer.from(text)), Buffer.from(text)]));
  const asked: Digest[] = [];
  const findBlobs = async (digests: readonly Digest[]) => {
    asked.push(...digests);
    return new Map([...bodies].filter(([digest]) => digests.includes(digest)));
  };
  return { digests: [...bodies.keys()], bodies, findBlobs, asked };
}

test("SV-7: bodies are on the disk under their digests, for their owner alone, and asked for once", async () => {
  const { cache, folder, there } = room();
  const { digests, findBlobs, asked } = storeOf("one", "two");
  expect(await cache.fill(digests, findBlobs, never)).toBe(0);
  expect(there()).toEqual(digests.toSorted());
  for (const path of [folder, join(folder, digests[0] ?? "")]) expect(statSync(path).mode & 0o077).toBe(0);
  const found = await cache.find(digests);
  expect([...found.values()].map((bytes) => Buffer.from(bytes).toString())).toEqual(["one", "two"]);
  expect(await cache.fill(digests, findBlobs, never)).toBe(0);
  expect(asked).toHaveLength(2);
});

test("SV-7: what is not wanted any more goes, with what is left of it; what is somebody else's stays", async () => {
  const { cache, folder, there } = room();
  const { digests, findBlobs } = storeOf("one", "two");
  await cache.fill(digests, findBlobs, never);
  writeFileSync(join(folder, `${digests[0]}.17-0badcafe.tmp`), "half of it");
  writeFileSync(join(folder, "0".repeat(64)), "of an older time");
  const others = [`${digests[0]}.txt`, "0".repeat(63), ".hidden.tmp", "thesis.txt"];
  for (const name of others) writeFileSync(join(folder, name), "years");
  expect(await cache.fill(digests.slice(1), findBlobs, never)).toBe(0);
  expect(there()).toEqual([...digests.slice(1), ...others].toSorted());
});

test("SV-7: a folder in the place of one is left there, and keeps none of the others out", async () => {
  const { cache, folder } = room();
  const { digests, findBlobs, asked } = storeOf("one", "two", "three");
  const [first = "", ...others] = digests;
  mkdirSync(join(folder, first), { recursive: true });
  mkdirSync(join(folder, "f".repeat(64)));
  expect(await cache.fill(digests, findBlobs, never)).toBe(1);
  expect([asked, statSync(join(folder, first)).isDirectory()]).toEqual([others, true]);
  expect([...(await cache.find(digests)).keys()]).toEqual(others);
  rmdirSync(join(folder, first));
  expect(await cache.fill(digests, findBlobs, never)).toBe(0);
});

test("SV-7: where there is no room for all, those that come first have it, however the store has them", async () => {
  const { cache, there } = room(7);
  const { digests, findBlobs: inOrder } = storeOf("one", "two", "three");
  const findBlobs: typeof inOrder = async (asked) => new Map([...(await inOrder(asked))].toReversed());
  expect(await cache.fill(digests, findBlobs, never)).toBe(1);
  expect(there()).toEqual(digests.slice(0, 2).toSorted());
  expect(await cache.fill(digests.slice(2), findBlobs, never)).toBe(0);
  expect(there()).toEqual(digests.slice(2));
});

test("invariant 1: a file that is not what its name says is found by nobody, and taken away", async () => {
  const { cache, root, folder, there } = room();
  const { digests, findBlobs } = storeOf("one", "two", "three");
  await cache.fill(digests, findBlobs, never);
  const [changed = "", linked = "", whole = ""] = digests;
  writeFileSync(join(folder, changed), "One");
  // Its bytes would even be the right ones, but they are somebody else's to change.
  writeFileSync(join(root, "elsewhere"), "two");
  rmSync(join(folder, linked));
  symlinkSync(join(root, "elsewhere"), join(folder, linked));
  expect([...(await cache.find(digests)).keys()]).toEqual([whole]);
  expect(there()).toEqual([whole]);
  expect(await cache.fill(digests, findBlobs, never)).toBe(0);
  expect(readFileSync(join(folder, changed), "utf8")).toBe("one");
});

test("invariant 1: the next process believes none of them before it has read it", async () => {
  const { cache, folder } = room();
  const { digests, findBlobs, asked } = storeOf("one", "two");
  await cache.fill(digests, findBlobs, never);
  writeFileSync(join(folder, digests[0] ?? ""), "One");
  const next = new BodyCache(createWorld().files, folder);
  expect(await next.fill(digests, findBlobs, never)).toBe(0);
  expect(asked).toEqual([...digests, digests[0]]);
});

test("T17: bytes that the store has under another digest than their own are not kept", async () => {
  const { cache, there } = room();
  const { digests, bodies, findBlobs } = storeOf("one", "two");
  bodies.set(digests[0] ?? "", Buffer.from("One"));
  expect(await cache.fill(digests, findBlobs, never)).toBe(1);
  expect(there()).toEqual(digests.slice(1));
});

test("SV-7: it can be ended, and goes on from there", async () => {
  const { cache } = room();
  const { digests, findBlobs } = storeOf(...Array.from({ length: 100 }, (_, number) => `body ${number}`));
  const ending = new AbortController();
  const endingAfterOne: typeof findBlobs = async (asked) => {
    ending.abort();
    return findBlobs(asked);
  };
  expect(await cache.fill(digests, endingAfterOne, ending.signal)).toBe(36);
  expect(await cache.fill(digests, findBlobs, never)).toBe(0);
});
