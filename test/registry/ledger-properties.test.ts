import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auditGenesis, recordEvents } from "../../src/registry/audit/audit.ts";
import type { Checkpoint } from "../../src/registry/audit/checkpoint.ts";
import { setBlock } from "../../src/registry/decide.ts";
import { type Entry, sealEntry } from "../../src/registry/entry.ts";
import { readFacts } from "../../src/registry/facts.ts";
import { createKeyFile, type Keys, loadKeys, rotateKeyFile, signText } from "../../src/registry/keys.ts";
import { isDecision, parseStatement, type Statement, type Word } from "../../src/registry/ledger/decision.ts";
import { LedgerWriter } from "../../src/registry/ledger/ledger-head.ts";
import { continueHead, ledgerGenesis, type LedgerRow, rowDigest } from "../../src/registry/ledger/ledger.ts";
import type { RegistryWrites } from "../../src/registry/port.ts";
import { createRevision } from "../../src/registry/revision.ts";
import { createSnapshot, type Snapshot } from "../../src/registry/snapshot.ts";
import { sealSource } from "../../src/registry/source-seal.ts";
import type { SyncReads } from "../../src/registry/sync/port.ts";
import { createBundle } from "../../src/skill/bundle.ts";
import type { Source } from "../../src/sources/schema.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import { ada, say, skillText, syncedRegistry } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import type { AuditRecord } from "../../src/registry/schema.ts";

const keyFile = createKeyFile(seededRandomness());
const keys = loadKeys(keyFile);
const strangers = loadKeys(createKeyFile(seededRandomness("strangers")));
const [own, another] = ["a".repeat(32), "b".repeat(32)];

const bundles = ["one", "two"].map((body) => createBundle("pdf", [["SKILL.md", Buffer.from(skillText("pdf", body))]]));
const revisions = await Promise.all(
  bundles.map((bundle) => createRevision({ ...bundle, digest: bundle.digest ?? "" }, keys)),
);
const [one = "", two = ""] = revisions.map(({ digest }) => digest);
const ids = ["skills:x", "skills:y", "skills:z"];

/** One word that somebody says, in this order. */
type Saying =
  | { readonly word: Word; readonly entry: string; readonly digest: string }
  | { readonly word: "block" | "unblock"; readonly kind: "digest" | "entry"; readonly value: string };

const said = fc.oneof(
  { weight: 5, arbitrary: fc.record({ word: word("approve"), entry: from(ids), digest: from([one, two]) }) },
  { weight: 3, arbitrary: fc.record({ word: word("reject", "disable"), entry: from(ids), digest: from([one, two]) }) },
  { weight: 1, arbitrary: fc.record({ word: word("block", "unblock"), kind: word("entry"), value: from(ids) }) },
  {
    weight: 1,
    arbitrary: fc.record({ word: word("block", "unblock"), kind: word("digest"), value: from([one, two]) }),
  },
);
const anyScript = fc.array(said, { minLength: 1, maxLength: 10 });

function word<Known extends string>(...known: Known[]): fc.Arbitrary<Known> {
  return fc.constantFrom(...known);
}

function from<Item>(items: readonly Item[]): fc.Arbitrary<Item> {
  return fc.constantFrom(...items);
}

interface Rows {
  readonly ledger: readonly LedgerRow[];
  readonly audit: readonly AuditRecord[];
}

/** The rows as the program writes them, and the checkpoint after each word. */
async function written(script: readonly Saying[], store = own): Promise<Rows & { checkpoints: readonly Checkpoint[] }> {
  const [ledger, audit]: [LedgerRow[], AuditRecord[]] = [[], []];
  const port = portOn({ ledger, audit }, store, { ledger, audit });
  const checkpoints: Checkpoint[] = [beginning(store)];
  for (const saying of script) {
    const writer = new LedgerWriter(port, keys, checkpoints.at(-1)?.ledger ?? beginning(store).ledger);
    await writer.append((seq, prev) => statementOf(saying, seq, prev));
    await recordEvents(port, writer.events);
    const last = ledger.at(-1) as LedgerRow;
    const { seq, hash } = audit.at(-1) as AuditRecord;
    checkpoints.push({ store, audit: { seq, hash }, ledger: { seq: last.seq, hash: rowDigest(last) }, at: 0 });
  }
  return { ledger, audit, checkpoints };
}

function beginning(store: string): Checkpoint {
  return { store, audit: { seq: 0, hash: auditGenesis(store) }, ledger: { seq: 0, hash: ledgerGenesis(store) }, at: 0 };
}

function statementOf(saying: Saying, seq: number, prev: string): Statement {
  const who = { seq, prev, by: "ada", at: 0, note: "" };
  if ("kind" in saying) return { ...saying, ...who };
  const signed = { repositoryId: null, commit: null, current: saying.digest, trust: "community", grants: [] } as const;
  return { ...saying, ...signed, ...who, overrides: [] };
}

/** What a store would answer that holds these rows, and these three entries. */
function portOn({ ledger, audit }: Rows, store: string, added?: { ledger: LedgerRow[]; audit: AuditRecord[] }) {
  const entries = ids.map((id): Entry => {
    const where = { source: "skills", path: id.slice(7), present: true, awayAt: 0, commit: null, repositoryId: null };
    return sealEntry(keys, { id, ...where, current: one, loading: "[]" });
  });
  const port = {
    generation: async () => 1,
    listSources: async () => [sealSource(keys, { id: "skills", trust: "community", onChange: "disable" } as Source)],
    entriesSince: async (_: number, { after }: { after: string }) => entries.filter(({ id }) => id > after),
    findRevisions: async () => revisions,
    ledgerAfter: async (place: number) => by(ledger, (row) => row.place).filter((row) => row.place > place),
    ledgerTop: async (limit: number) => by(ledger, (row) => -row.seq).slice(0, limit),
    auditHead: async () => audit.at(-1) ?? { seq: 0, hash: auditGenesis(store) },
    auditAfter: async (after: number) => audit.filter(({ seq }) => seq > after),
    insertAudit: async (records: readonly AuditRecord[]) => void added?.audit.push(...records),
    appendLedger: async (row: LedgerRow) => void added?.ledger.push({ ...row, place: ledger.length + 1 }),
  };
  return port as unknown as RegistryWrites & SyncReads;
}

function by<Item>(items: readonly Item[], order: (item: Item) => number): Item[] {
  return items.toSorted((a, b) => order(a) - order(b));
}

async function snapshotOf(rows: Rows, known: Checkpoint, using: Keys = keys): Promise<Snapshot> {
  const facts = await readFacts({ port: portOn(rows, known.store), keys: using, known });
  return createSnapshot(facts, { untrusted: 1, community: 1, verified: 1, first_party: 1 });
}

const statesOf = ({ standings }: Snapshot) => Object.fromEntries([...standings].map(([id, { state }]) => [id, state]));
const usableOf = ({ usable }: Snapshot) => [...usable.values()].map(({ id, digest }) => `${id} ${digest}`);

/** Whether a person's word, and no word after it, lets this be used: read off what was said, not off any row. */
function wasAllowed(script: readonly Saying[], usable: string): boolean {
  const [id, digest] = usable.split(" ");
  const about = script.filter((each) => "entry" in each && each.entry === id);
  const at = about.findLastIndex((each) => each.word === "approve" && "digest" in each && each.digest === digest);
  return at !== -1 && about.slice(at + 1).every((each) => each.word === "approve");
}

type Tamper = (rows: Rows) => LedgerRow[] | Promise<LedgerRow[]>;

const at = fc.nat();
const rowAt = ({ ledger }: Rows, place: number) => place % ledger.length;

/** A row with something else in one of its columns. */
const anyEdit: fc.Arbitrary<Tamper> = fc
  .record({
    at,
    to: fc.string({ unit: "binary", maxLength: 5 }),
    raised: fc.integer({ min: -9, max: 99 }),
    how: fc.nat(14),
  })
  .map(({ at: place, to, raised, how }) => (rows) => {
    const index = rowAt(rows, place);
    const row = rows.ledger[index] as LedgerRow;
    const payload = { ...parseStatement(row.payload) };
    const edits: Partial<LedgerRow>[] = [
      { seq: row.seq + raised },
      { seq: 0 },
      { subject: `${row.subject}${to}x` },
      { subject: ids.find((id) => id !== row.subject) ?? "" },
      { key: `${row.key}${to}` },
      { key: strangers.signing.id },
      { signature: `${row.signature}${to}` },
      { signature: `${row.signature} ` },
      { signature: signText(strangers, row.payload).signature },
      { payload: `${row.payload}${to}` },
      { payload: JSON.stringify(payload) },
      ...["word", "digest", "entry", "seq"].map((field) => ({
        payload: JSON.stringify({ ...payload, [field]: { word: "approve", digest: one, entry: to, seq: 999 }[field] }),
      })),
    ];
    return rows.ledger.with(index, { ...row, ...edits[how] });
  });

const anyRemoval: fc.Arbitrary<Tamper> = at.map((place) => (rows) => rows.ledger.toSpliced(rowAt(rows, place), 1));

/** Two rows whose columns changed places, all of them or one. */
const anySwap: fc.Arbitrary<Tamper> = fc
  .record({ from: at, to: at, what: word("place", "seq", "payload", "signature", "subject", "all") })
  .map(({ from: first, to: second, what }) => (rows) => {
    const [i, j] = [rowAt(rows, first), rowAt(rows, second)];
    const [a, b] = [rows.ledger[i] as LedgerRow, rows.ledger[j] as LedgerRow];
    if (what === "all") return rows.ledger.with(i, { ...b, place: a.place }).with(j, { ...a, place: b.place });
    return rows.ledger.with(i, { ...a, [what]: b[what] }).with(j, { ...b, [what]: a[what] });
  });

/** A row more: an old one again, one of a stranger, one of another store that has the same key file. */
const anyInsertion: fc.Arbitrary<Tamper> = fc
  .record({ at, entry: from(ids), digest: from([one, two]), how: fc.nat(5), raised: fc.integer({ min: 0, max: 1e6 }) })
  .map(({ at: place, entry, digest, how, raised }) => async (rows) => {
    const last = rows.ledger.at(-1) as LedgerRow;
    const old = rows.ledger[rowAt(rows, place)] as LedgerRow;
    const forged = { word: "approve", entry, digest } as const;
    const next = JSON.stringify(statementOf(forged, last.seq + 1, rowDigest(last)));
    const elsewhere = await written(
      Array.from({ length: (place % 12) + 1 }, () => forged),
      another,
    );
    const abroad = elsewhere.ledger.at(-1) as LedgerRow;
    const added: Omit<LedgerRow, "place">[] = [
      { ...old, seq: last.seq + raised },
      old,
      { seq: last.seq + 1, subject: entry, payload: next, ...signText(strangers, next) },
      { seq: last.seq + 1, subject: entry, payload: next, ...signText(strangers, next), key: keys.signing.id },
      abroad,
      { ...abroad, seq: abroad.seq + raised },
    ];
    return [...rows.ledger, { ...(added[how] as LedgerRow), place: last.place + 1 }];
  });

const anyTamper = fc.oneof(anyEdit, anyRemoval, anySwap, anyInsertion);
const whichCheckpoint = word("last", "some", "none");

function checkpointOf(checkpoints: readonly Checkpoint[], which: "last" | "some" | "none"): Checkpoint {
  const place = { last: -1, some: Math.floor(checkpoints.length / 2), none: 0 }[which];
  return checkpoints.at(place) ?? beginning(own);
}

describe("T18: the ledger that nobody touched", () => {
  test("proves every word, whatever checkpoint is left", async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, whichCheckpoint, async (script, which) => {
        const { checkpoints, ...rows } = await written(script);
        const snapshot = await snapshotOf(rows, checkpointOf(checkpoints, which));
        expect(snapshot.findings).toEqual([]);
        for (const usable of usableOf(snapshot)) expect(wasAllowed(script, usable)).toBe(true);
      }),
    );
  });

  test("of another store says nothing here, with the same key file and the same entries", async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, whichCheckpoint, async (script, which) => {
        const { checkpoints: _, ...rows } = await written(script, another);
        const { checkpoints } = await written([], own);
        const snapshot = await snapshotOf({ ledger: rows.ledger, audit: [] }, checkpointOf(checkpoints, which));
        expect(statesOf(snapshot)).toEqual({ "skills:x": "new", "skills:y": "new", "skills:z": "new" });
        expect(snapshot.findings.map(({ code }) => code)).toEqual(script.map(() => "ledger.forged"));
      }),
    );
  });
});

describe("T18: one thing done by hand", () => {
  test("lets nothing in, changes no other entry, and is named", async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, anyTamper, whichCheckpoint, async (script, tamper, which) => {
        const { checkpoints, ...rows } = await written(script);
        const known = checkpointOf(checkpoints, which);
        const tampered = { ...rows, ledger: await tamper(rows) };
        if (isDeepStrictEqual(tampered, rows)) return;
        const [before, after] = [await snapshotOf(rows, known), await snapshotOf(tampered, known)];
        expect(usableOf(before)).toEqual(expect.arrayContaining(usableOf(after)));
        expect(after.findings.length, "what was done is named").toBeGreaterThan(0);
        const touched = subjectsTouched(rows, tampered);
        if (touched.some((subject) => !ids.includes(subject))) return;
        const untouched = ids.filter((id) => !touched.includes(id));
        const standingsIn = ({ standings }: Snapshot) => untouched.map((id) => [id, standings.get(id)]);
        expect(standingsIn(after)).toEqual(standingsIn(before));
      }),
      { numRuns: 600 },
    );
  });

  test("does nothing at all when it only adds", async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, anyInsertion, whichCheckpoint, async (script, insertion, which) => {
        const { checkpoints, ...rows } = await written(script);
        const known = checkpointOf(checkpoints, which);
        const after = await snapshotOf({ ...rows, ledger: await insertion(rows) }, known);
        expect(statesOf(after)).toEqual(statesOf(await snapshotOf(rows, known)));
        expect(after.findings.map(({ code }) => code).filter((code) => !/forged|repeated|moved/.test(code))).toEqual(
          [],
        );
        expect(after.findings).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  /** Whom the rows were about that are not there any more as they were. */
  function subjectsTouched(rows: Rows, tampered: Rows): string[] {
    const left = new Set(tampered.ledger.map(rowDigest));
    const gone = rows.ledger.filter((row) => !left.has(rowDigest(row)));
    return gone
      .map(({ payload }) => parseStatement(payload))
      .map((lost) => (lost && isDecision(lost) ? lost.entry : ""));
  }
});

describe("T18: one thing done by hand in a real store", () => {
  const edits = ["seq = seq + 9", "seq = 0", "subject = 'skills:xls'", "payload = payload || ' '", "key_id = 'x'"];
  const columns = ["payload", "signature", "payload, key_id, signature"];

  test("lets nothing in and is named, whatever it is", async () => {
    const { folder, app } = await syncedRegistry(["pdf", "xls", "zip"]);
    const [pdf, xls, zip] = ["skills:pdf", "skills:xls", "skills:zip"];
    for (const [verb, entry] of [
      ["approve", pdf],
      ["approve", xls],
      ["disable", pdf],
      ["reject", zip],
      ["approve", zip],
    ] as const)
      await say(app, ada, verb, entry);
    await setBlock(app.review, allow(ada), { word: "block", kind: "entry", value: xls, note: "because" });
    await folder.close(app);
    const wrong: string[] = [];
    for (const sql of everyEdit(6)) {
      const copy = folder.copy();
      copy.sql(sql);
      const { usable, findings } = (await (await copy.open()).registry.look()).snapshot;
      if ([...usable.keys()].some((id) => id !== zip)) wrong.push(`lets ${[...usable.keys()].join()} in: ${sql}`);
      if (findings.length === 0) wrong.push(`is not named: ${sql}`);
      await copy.remove();
    }
    expect(wrong).toEqual([]);
  });

  function* everyEdit(rows: number): Generator<string> {
    for (let seq = 1; seq <= rows; seq++) {
      const next = (seq % rows) + 1;
      for (const edit of edits)
        if (seq !== 2 || !edit.startsWith("subject")) yield `UPDATE ledger SET ${edit} WHERE seq = ${seq}`;
      for (const names of columns)
        yield `UPDATE ledger SET (${names}) = (SELECT ${names} FROM ledger WHERE seq = ${next}) WHERE seq = ${seq}`;
      yield `DELETE FROM ledger WHERE seq = ${seq}`;
      yield `INSERT INTO ledger (seq, subject, payload, key_id, signature)
        SELECT ${rows + 1}, subject, payload, key_id, signature FROM ledger WHERE seq = ${seq}`;
    }
  }
});

describe("T18: several things done by hand", () => {
  test("let nothing in that no person allowed, as long as the checkpoint is there", async () => {
    const several = fc.array(anyTamper, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyScript, several, async (script, tampers) => {
        const { checkpoints, ...rows } = await written(script);
        let tampered: Rows = rows;
        for (const tamper of tampers)
          if (tampered.ledger.length > 0) tampered = { ...rows, ledger: await tamper(tampered) };
        const known = checkpointOf(checkpoints, "last");
        const [before, after] = [await snapshotOf(rows, known), await snapshotOf(tampered, known)];
        expect(usableOf(before)).toEqual(expect.arrayContaining(usableOf(after)));
        for (const usable of usableOf(after)) expect(wasAllowed(script, usable)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test("also with the copies in the audit chain gone: then nothing older counts", async () => {
    await fc.assert(
      fc.asyncProperty(anyScript, at, async (script, place) => {
        const { checkpoints, ...rows } = await written(script);
        const gone = rowAt(rows, place);
        const tampered = { ledger: rows.ledger.toSpliced(gone, 1), audit: rows.audit.toSpliced(gone, 1) };
        const known = checkpointOf(checkpoints, "last");
        const [before, after] = [await snapshotOf(rows, known), await snapshotOf(tampered, known)];
        expect(after.findings.map(({ code }) => code)).toContain("ledger.broken");
        for (const usable of usableOf(after)) expect(wasAllowed(script.slice(gone + 1), usable)).toBe(true);
        // Of a block that left no trace nothing can be known; those that are there all stand.
        const lost = script[gone] as Saying;
        if (lost.word !== "block") expect(usableOf(before)).toEqual(expect.arrayContaining(usableOf(after)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("T18: where the chain goes on", () => {
  test("is by the signed one of several that link to its end, whichever comes first", async () => {
    const { ledger, checkpoints } = await written([{ word: "approve", entry: "skills:x", digest: one }]);
    const row = ledger[0] as LedgerRow;
    const payload = JSON.stringify({ ...parseStatement(row.payload), digest: two });
    const forged = { ...row, payload, ...signText(strangers, payload), key: row.key };
    const [begin, end] = [checkpointOf(checkpoints, "none").ledger, checkpointOf(checkpoints, "last").ledger];
    for (const rows of [[row], [forged, row], [row, forged]]) expect(continueHead(begin, rows, keys)).toEqual(end);
    expect(continueHead(begin, [forged], keys)).toEqual(begin);
  });
});

describe("RV-3: the keys", () => {
  const script: Saying[] = ids.map((entry) => ({ word: "approve", entry, digest: one }));

  test("that were retired still verify", async () => {
    const { checkpoints, ...rows } = await written(script);
    const rotated = loadKeys(rotateKeyFile(keyFile, seededRandomness("rotated")));
    const snapshot = await snapshotOf(rows, checkpointOf(checkpoints, "last"), rotated);
    expect(usableOf(snapshot)).toHaveLength(3);
  });

  test("that the key file does not name any more prove nothing, and their disable is not undone by that", async () => {
    const { checkpoints, ...rows } = await written([...script, { word: "disable", entry: "skills:x", digest: one }]);
    const rotated = rotateKeyFile(keyFile, seededRandomness("rotated"));
    const forgotten = loadKeys({ ...rotated, signing: rotated.signing.slice(0, 1) });
    const snapshot = await snapshotOf(rows, checkpointOf(checkpoints, "last"), forgotten);
    expect(usableOf(snapshot)).toEqual([]);
    expect(new Set(snapshot.findings.map(({ code }) => code))).toContain("ledger.untrusted-key");
  });
});

describe("T18: a word that was lost", () => {
  const approve: Saying = { word: "approve", entry: "skills:x", digest: one };
  const disable: Saying = { word: "disable", entry: "skills:x", digest: one };
  const block = { word: "block", kind: "entry", value: "skills:x" } as const;
  const unblock = { ...block, word: "unblock" } as const;

  test.each<[string, readonly Saying[], readonly number[], string]>([
    ["a disable", [approve, disable], [1], "new"],
    ["a disable, with an approval before it", [approve, approve, disable], [0, 2], "new"],
    ["a disable that was followed by an approval", [approve, disable, approve], [1], "enabled"],
    ["a block", [approve, block], [1], "blocked"],
    ["a block that was lifted later", [approve, block, unblock], [1], "enabled"],
    ["the lifting of a block", [approve, block, unblock], [2], "blocked"],
    ["the lifting, and it was lifted again", [approve, block, unblock, unblock], [2], "enabled"],
  ])("%s", async (_, script, lost, state) => {
    const { checkpoints, ...rows } = await written(script);
    const ledger = rows.ledger.filter((row) => !lost.includes(row.seq - 1));
    const snapshot = await snapshotOf({ ...rows, ledger }, checkpointOf(checkpoints, "last"));
    expect(statesOf(snapshot)["skills:x"]).toBe(state);
    expect(snapshot.findings.map(({ code }) => code)).toEqual(lost.map(() => "ledger.lost"));
  });
});
