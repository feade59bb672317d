import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import type { StoreReads, StoreWrites } from "../../../src/store/store.ts";
import { contentOf } from "../../support/store-engines.ts";
import type { Contract } from "./room.ts";
import {
  apiKey,
  audited,
  batch,
  entry,
  injection,
  kept,
  lock,
  revision,
  source,
  statement,
  used,
  user,
} from "./rows.ts";

/** A text of somebody else in every column that takes one. */
const writes: Readonly<Record<string, (port: StoreWrites, text: string) => Promise<unknown>>> = {
  "a store": (port, text) => port.setStoreIdentity({ id: text, seal: "s" }),
  "an entry": (port, text) => port.putEntries([entry("fine"), entry(text)]),
  "a commit": (port, text) => port.putEntries([entry("fine", { commit: text })]),
  "a subject": (port, text) => port.appendLedger(statement({ subject: text })),
  "a payload": (port, text) => port.appendLedger(statement({ payload: text })),
  "a folder": (port, text) => port.putRevisions([revision("digest", { folder: text })], new Map()),
  "a file": (port, text) => port.putRevisions([], new Map([[text, new Uint8Array(1)]])),
  "a history": (port, text) => port.insertKept([kept("house:a", "digest", 1, text)]),
  "a batch": (port, text) => port.insertUsage(batch(text), [], []),
  "a use": (port, text) => port.insertUsage(batch("b"), [used(), used({ conversation: text })], []),
  "a denied tool": (port, text) => port.insertUsage(batch("b"), [used(), used({ tool: text })], []),
  "an injection": (port, text) => port.insertUsage(batch("b"), [], [injection("fine"), injection(text)]),
  "a person": (port, text) => port.insertAudit([audited(1, { by: text })]),
  details: (port, text) => port.insertAudit([audited(1, { details: text })]),
  "a lock": (port, text) => port.putLock(lock({ holder: text })),
  "a provenance": (port, text) => port.putProvenance([{ entry: "house:a", record: text }]),
  "a token": (port, text) => port.putSecret("source:house", text),
  "a token's name": (port, text) => port.putSecret(text, "secret"),
  "a user": (port, text) => port.putUser(user(text)),
  "a seal": (port, text) => port.putUser(user("ada", { seal: text })),
  "a key": (port, text) => port.putKey(apiKey("key", { name: text })),
  "a record": (port, text) => port.putLlmRecord("task", { id: "i", record: text, secret: null }),
  "a secret": (port, text) => port.putLlmRecord("provider", { id: "i", record: "{}", secret: text }),
  "an attachment": (port, text) => port.putAttached("task:a", ["fine", text]),
  "a trigger": (port, text) => port.putTriggers("house:a", text),
  "a vector's model": (port, text) => port.putVectors(text, [{ digest: "d", vector: new Uint8Array(1) }]),
  "a report": (port, text) => port.putEvaluation("k", { id: "i", at: 1, line: "{}", report: text }, 9),
};

/** The names and paths that rows are found by. */
const keys: Readonly<Record<string, (port: StoreWrites, text: string) => Promise<unknown>>> = {
  "an entry": (port, text) => port.putEntries([entry(text)]),
  "a subject": (port, text) => port.appendLedger(statement({ subject: text })),
  "a revision": (port, text) => port.putRevisions([revision(text)], new Map()),
  "a file": (port, text) => port.putRevisions([], new Map([[text, new Uint8Array(1)]])),
  "a history": (port, text) => port.insertKept([kept(text, "d".repeat(64))]),
  "a batch": (port, text) => port.insertUsage(batch(text), [used()], [injection("id")]),
  "a use": (port, text) => port.insertUsage(batch(text.slice(-9)), [used({ digest: text })], []),
  "an injection": (port, text) => port.insertUsage(batch(text.slice(-9)), [], [injection(text)]),
  "a lock": (port, text) => port.putLock(lock({ source: text })),
  "a provenance": (port, text) => port.putProvenance([{ entry: text, record: "{}" }]),
  "a token": (port, text) => port.putSecret(text, "secret"),
  "a user": (port, text) => port.putUser(user(text)),
  "a key": (port, text) => port.putKey(apiKey(text)),
  "a record": (port, text) => port.putLlmRecord("task", { id: text, record: "{}", secret: null }),
  "a target": (port, text) => port.putAttached(`task:${text.slice("task:".length)}`, ["e"]),
  "an attachment": (port, text) => port.putAttached("task:a", [text]),
  "a trigger": (port, text) => port.putTriggers(text, "[]"),
  "a model": (port, text) => port.putVectors(text, [{ digest: "d", vector: new Uint8Array(1) }]),
  "a vector": (port, text) => port.putVectors("m", [{ digest: text, vector: new Uint8Array(1) }]),
  "an evaluation": (port, text) => port.putEvaluation("k", { id: text, at: 1, line: "{}", report: "{}" }, 9),
};

const reads: Readonly<Record<string, (read: StoreReads, text: string) => Promise<unknown>>> = {
  findEntry: (read, text) => read.findEntry(text),
  listEntries: (read, text) => read.listEntries({ after: text, limit: 9 }),
  findUser: (read, text) => read.findUser(text),
  findKey: (read, text) => read.findKey(text),
  findSource: (read, text) => read.findSource(text),
  findBlobs: (read, text) => read.findBlobs([text]),
  provenanceOf: (read, text) => read.provenanceOf(text),
  listProvenance: (read, text) => read.listProvenance(text, { after: "", limit: 9 }),
  findSecret: (read, text) => read.findSecret(text),
  ledgerOfAll: (read, text) => read.ledgerOfAll(["fine", text]),
  findInjection: (read, text) => read.findInjection(text),
  findLlmRecord: (read, text) => read.findLlmRecord("task", text),
  findTriggers: (read, text) => read.findTriggers(text),
  "findVectors of a model": (read, text) => read.findVectors(text, ["d"]),
  findVectors: (read, text) => read.findVectors("m", ["fine", text]),
  findAudit: (read, text) => read.findAudit({ subject: text, limit: 9 }),
};

const unkeepable = { NUL: "fine\0else", "half a character": "fine\ud83d", "the other half": "fine\ude00else" };
const unkeepables = Object.entries(unkeepable);

export const textsContract: Contract = (room) => {
  it.each(unkeepables)(
    "RV-11: a text with %s is refused in every column, with all of its transaction",
    async (_, text) => {
      const { store, place } = room();
      const before = await contentOf(place);
      for (const [what, write] of Object.entries(writes)) {
        const writing = store.transaction(async (port) => {
          await port.putSource(source("house"));
          await write(port, text);
        });
        expect([what, await writing.catch((error: unknown) => error)]).toMatchObject([what, { code: "usage.invalid" }]);
      }
      expect(await contentOf(place)).toEqual(before);
    },
  );

  it.each(unkeepables)("RV-11: a text with %s finds nothing: it could find something else", async (_, text) => {
    const { store } = room();
    await store.transaction((port) => port.putUser(user("fine")));
    for (const [what, read] of Object.entries(reads)) {
      const outcome = await read(store.read, text).catch((error: unknown) => error);
      expect([what, outcome]).toMatchObject([what, { code: "usage.invalid" }]);
    }
  });

  it.each(Object.entries(writes).filter(([what]) => ["a payload", "details", "a record"].includes(what)))(
    "RV-11: keeps %s of 5 MB",
    async (_, write) => {
      const { store, place } = room();
      const long = randomBytes(2_500_000).toString("hex");
      await store.transaction((port) => write(port, long));
      expect(JSON.stringify(await contentOf(place))).toContain(long);
    },
  );

  it.each(Object.entries(keys))("RV-11: keeps %s of 2,000 bytes and refuses a longer one", async (_, write) => {
    const { store, place } = room();
    // Of random letters: PostgreSQL would make room for others by packing them.
    const longest = randomBytes(1496).toString("base64url").slice(0, 1994);
    await store.transaction((port) => write(port, `${longest}ééé`));
    const before = await contentOf(place);
    expect(JSON.stringify(before)).toContain(`${longest.slice("task:".length)}ééé`);
    const writing = store.transaction((port) => write(port, `${longest}éééa`));
    await expect(writing).rejects.toMatchObject({ code: "usage.invalid", message: /2000 bytes; shorten it/ });
    expect(await contentOf(place)).toEqual(before);
  });

  it("RV-11: neither engine takes a value of another type, in any table", async () => {
    const { store, place } = room();
    await store.transaction((port) => port.putLock(lock()));
    const before = await contentOf(place);
    const edits = { SQLite: ["token = 'soon'", "token = 0.5", "holder = x'00'"], PostgreSQL: ["token = 'soon'"] };
    for (const edit of edits[place.engine])
      await expect(place.query(`UPDATE sync_locks SET ${edit}`)).rejects.toThrow(/cannot store|invalid input/);
    expect(await contentOf(place)).toEqual(before);
    if (place.engine === "PostgreSQL") return;
    const loose =
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite_%'";
    expect(await place.query(loose)).toEqual([]);
  });

  it.each([0.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER + 1])("RV-11: refuses the number %d", async (number) => {
    const { store, place } = room();
    const before = await contentOf(place);
    await expect(store.transaction((port) => port.putLock(lock({ token: number })))).rejects.toThrow(TypeError);
    expect(await contentOf(place)).toEqual(before);
  });
};
