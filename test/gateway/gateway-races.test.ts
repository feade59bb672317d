import { Hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import type { Finding } from "../../src/core/finding.ts";
import { readInjection } from "../../src/registry/usage/injection.ts";
import type { RevisionRow } from "../../src/registry/revision.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { composeApproved } from "../support/gateway-approved.ts";
import { inJson } from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome } from "../support/gateway-home.ts";
import { ada, say, skillText } from "../support/registry.ts";

type Reads = App["kept"]["read"];

/** What a request was given. */
interface Given {
  readonly included: readonly string[];
  readonly dropped: readonly string[];
  readonly findings: readonly Finding[];
  readonly generation: number;
}

interface Racing {
  readonly home: GatewayHome;
  /** Holds the request to what must always be, and says what it was given. */
  readonly ask: () => Promise<Given>;
}

/**
 * A gateway whose store answers as `change` says. The bodies are new to this process: nothing that it remembers of
 * earlier readings stands between the bytes and the prompt.
 */
async function race(count: number, change: (read: Reads, home: GatewayHome) => Partial<Reads>): Promise<Racing> {
  const mark = randomUUID();
  const names = Array.from({ length: count }, (_, at) => `skill-${String(at).padStart(2, "0")}`);
  const skills = new Map(names.map((name) => [name, `Approved ${name} ${mark}.\n`.repeat(8)]));
  const home = await gatewayHome({ skills: Object.fromEntries(skills) });
  const { kept } = home.app;
  const app = { ...home.app, kept: { ...kept, read: { ...kept.read, ...change(kept.read, home) } } };
  const server = await serveApp(app, { host: "127.0.0.1", port: 0, log: { write: () => {} } });
  onTestFinished(() => server.stop());
  return { home, ask: () => askAt(home, server.url, skills) };
}

const sent = '{"model":"m","messages":[{"role":"user","content":"Which one?"}]}';

async function askAt(home: GatewayHome, url: string, skills: ReadonlyMap<string, string>): Promise<Given> {
  const headers = { authorization: `Bearer ${home.key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/c/house/v1/chat/completions`, { method: "POST", headers, body: sent });
  expect(answer.status).toBe(200);
  const received = home.upstream.requests.at(-1)?.text ?? "";
  expect(received).not.toMatch(/poison/i);
  const id = answer.headers.get("x-skillward-injection");
  const record = readInjection(await (await fetch(`${url}/api/injections/${id}`, { headers })).json());
  const included = (record?.included ?? []).map(({ name }) => name);
  const dropped = (record?.dropped ?? []).map(({ entry, why }) => `${why} ${entry.slice("skills:".length)}`);
  expect(received).toBe(expectedOf(home, included, skills));
  expect([...included, ...dropped.map((each) => each.replace(/^\w+ /, ""))].toSorted()).toEqual([...skills.keys()]);
  return { included, dropped, findings: record?.findings ?? [], generation: record?.generation ?? 0 };
}

/** What arrives with these skills in it, from the files that were approved. */
function expectedOf({ app }: GatewayHome, included: readonly string[], skills: ReadonlyMap<string, string>): string {
  const approved = included.map((name) => {
    const bytes = Buffer.from(skillText(name, skills.get(name)));
    return { entry: `skills:${name}`, files: [{ path: "SKILL.md", bytes }] };
  });
  const { block } = composeApproved(app.keys, approved);
  return block === "" ? sent : sent.replace("Which", () => `${inJson(`${block}\n\n`)}Which`);
}

/** As long as what was approved, so that it can be written over it. */
function poison(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString("latin1");
  bytes.set(Buffer.from(text.replaceAll("Approved", "Poisoned").replaceAll("What skill", "To poison "), "latin1"));
}

/** Bytes that nobody else has, and that can be changed. */
async function copied(found: ReturnType<Reads["findBlobs"]>): Promise<Map<string, Uint8Array>> {
  return new Map([...(await found)].map(([digest, bytes]) => [digest, Uint8Array.from(bytes)]));
}

/** Tells of all bytes that are hashed while `act` runs, each time right after it. */
async function whenHashed<Result>(tell: (bytes: Uint8Array) => unknown, act: () => Promise<Result>): Promise<Result> {
  const honest = Object.getOwnPropertyDescriptor(Hash.prototype, "update") ?? {};
  const value = function (this: Hash, ...given: readonly unknown[]): unknown {
    const hash: unknown = Reflect.apply(honest.value, this, given);
    if (given[0] instanceof Uint8Array) tell(given[0]);
    return hash;
  };
  Object.defineProperty(Hash.prototype, "update", { ...honest, value });
  try {
    return await act();
  } finally {
    Object.defineProperty(Hash.prototype, "update", honest);
  }
}

test("T16: a buffer that is overwritten the moment it was hashed", async () => {
  const handed = new Set<Uint8Array>();
  const { ask } = await race(3, (read) => ({
    async findBlobs(digests) {
      const blobs = await copied(read.findBlobs(digests));
      for (const bytes of blobs.values()) handed.add(bytes);
      return blobs;
    },
  }));
  const poisonAll = (hashed: Uint8Array) => Buffer.from(hashed).includes("Approved") && handed.forEach(poison);
  const first = await whenHashed(poisonAll, ask);
  expect(handed.size).toBe(3);
  // The first was hashed before anything happened to it; the others were poisoned by then.
  expect(first.included).toHaveLength(1);
  expect(first.dropped.every((each) => each.startsWith("tampered "))).toBe(true);
  expect((await ask()).included).toHaveLength(3);
});

test("T16: buffers that are overwritten at every moment between being read and being used", async () => {
  const { ask } = await race(40, (read) => ({
    async findBlobs(digests) {
      const blobs = await copied(read.findBlobs(digests));
      for (const [moment, bytes] of [...blobs.values()].entries()) void poisonAfter(moment, bytes);
      return blobs;
    },
  }));
  const { included, dropped } = await ask();
  expect(included.length).toBeGreaterThan(0);
  expect(dropped.length).toBeGreaterThan(0);
});

/** After so many turns of what waits. */
async function poisonAfter(turns: number, bytes: Uint8Array): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  poison(bytes);
}

const swinging = `
  const { parentPort, workerData } = require("node:worker_threads");
  const views = workerData.map(({ memory, approved, poisoned }) => [new Uint8Array(memory), approved, poisoned]);
  parentPort.postMessage("begun");
  for (;;) for (const [view, approved, poisoned] of views) { view.set(poisoned); view.set(approved); }
`;

/** The same bytes in memory in which another thread swings them between what was approved and what was not, for good. */
async function swing(blobs: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Uint8Array>> {
  const shared = [...blobs].map(([digest, approved]) => {
    const poisoned = Uint8Array.from(approved);
    poison(poisoned);
    return { digest, approved, poisoned, memory: new SharedArrayBuffer(approved.length) };
  });
  const worker = new Worker(swinging, { eval: true, workerData: shared });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, "message");
  return new Map(shared.map(({ digest, memory }) => [digest, new Uint8Array(memory)]));
}

test("T16: memory that another thread swings between approved and poisoned bytes all the time", async () => {
  let shared: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  const { ask } = await race(8, (read) => ({
    findBlobs: (digests) => (shared ??= copied(read.findBlobs(digests)).then(swing)),
  }));
  let [included, dropped] = [0, 0];
  const isShown = (requests: number) => requests >= 40 && included > 0 && dropped > 0;
  for (let request = 0; request < 500 && !isShown(request); request++) {
    const given = await ask();
    included += given.included.length;
    dropped += given.dropped.length;
  }
  expect(included).toBeGreaterThan(0);
  expect(dropped).toBeGreaterThan(0);
});

test("T17: a row that is changed right after it was read: what was read is used, and the next request is without it", async () => {
  let isFirst = true;
  const { ask } = await race(3, (read, { folder }) => ({
    async findBlobs(digests) {
      const blobs = await read.findBlobs(digests);
      if (isFirst)
        folder.sql("UPDATE blobs SET bytes = CAST(replace(CAST(bytes AS TEXT), 'Approved', 'Poisoned') AS BLOB)");
      isFirst = false;
      return blobs;
    },
  }));
  expect((await ask()).included).toHaveLength(3);
  const { included, findings } = await ask();
  expect(included).toEqual([]);
  expect(findings.map(({ code }) => code)).toEqual(Array(3).fill("compose.tampered"));
});

test("T16: a store that answers honestly once and otherwise ever after", async () => {
  let asked = 0;
  const { ask } = await race(3, (read) => ({
    async findBlobs(digests) {
      const blobs = await copied(read.findBlobs(digests));
      if (asked++ > 0) [...blobs.values()].slice(1).forEach(poison);
      return blobs;
    },
  }));
  expect((await ask()).included).toHaveLength(3);
  for (let again = 0; again < 3; again++) expect((await ask()).dropped).toHaveLength(2);
});

/** A row whose list of files is another one at the nth look at it. */
function shifty(row: RevisionRow, evil: string, nth: number): RevisionRow {
  let looks = 0;
  return Object.defineProperty({ ...row }, "files", { get: () => (++looks === nth ? evil : row.files) });
}

test("T16: rows that are others when they are looked at again", async () => {
  const evil = JSON.stringify([{ path: "SKILL.md", digest: "e".repeat(64), size: 3 }]);
  let nth = 0;
  const { ask } = await race(3, (read) => ({
    findRevisions: async (digests) => (await read.findRevisions(digests)).map((row) => shifty(row, evil, nth)),
    async findBlobs(digests) {
      const blobs = new Map(await read.findBlobs(digests));
      return blobs.set("e".repeat(64), Buffer.from(skillText("poison", "Poisoned.\n")));
    },
  }));
  for (nth = 0; nth < 5; nth++) expect((await ask()).included.length).toBe(nth === 1 ? 0 : 3);
});

/** A person switches a skill off after a request has looked at what may be used, and before it reads the words. */
function switchingOff(after: (home: GatewayHome) => void): Promise<Racing> {
  let isDone = false;
  return race(3, (read, home) => ({
    async ledgerOfAll(subjects) {
      if (!isDone) {
        isDone = true;
        await say(home.app, ada, "disable", "skills:skill-01");
        after(home);
      }
      return read.ledgerOfAll(subjects);
    },
  }));
}

test("invariant 8: switched off in the middle: the request is of the new generation, and nobody is accused of tampering", async () => {
  const { home, ask } = await switchingOff(() => {});
  const { dropped, findings, generation } = await ask();
  expect(dropped).toEqual(["unusable skill-01"]);
  expect(findings).toMatchObject([{ code: "compose.unusable" }]);
  expect(generation).toBe(await home.app.kept.read.generation());
});

test("T18: switched off, and the generation set back so that no process looks: it is not used, and that is said", async () => {
  const { ask } = await switchingOff(({ folder }) => void folder.sql("UPDATE store SET generation = generation - 1"));
  for (const { dropped, findings } of [await ask(), await ask()]) {
    expect(dropped).toEqual(["tampered skill-01"]);
    expect(findings[0]?.message).toContain("a decision that it rests on was taken back");
  }
});
