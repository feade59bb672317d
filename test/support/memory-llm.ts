import { createHash } from "node:crypto";
import type { LlmContext, Standing } from "../../src/models/context.ts";
import type { LlmKind, LlmRecord, LlmWrites, TargetKey } from "../../src/models/port.ts";
import { requireRight } from "../../src/registry/accounts/permit.ts";
import type { Person, Right } from "../../src/registry/accounts/roles.ts";
import type { AuditWrites } from "../../src/registry/audit/audit.ts";
import { createKeyFile, loadKeys } from "../../src/registry/keys.ts";
import { fixedClock } from "../../src/testing/fixed-clock.ts";
import type { AuditRecord } from "../../src/registry/schema.ts";

/** What the store holds; tests edit it as a hand in the database would. */
interface Rows {
  records: Record<LlmKind, Map<string, LlmRecord>>;
  attached: Map<TargetKey, readonly string[]>;
  audit: AuditRecord[];
  generation: number;
}

type Permitted<R extends Right> = { readonly permit: ReturnType<typeof requireRight<R>> };

export interface MemoryLlm {
  /** The committed rows. */
  rows(): Rows;
  /** The same store as another person sees it, who has the right for what is asked: an admin's unless said. */
  as<R extends Right = "administer">(person: Partial<Person>, right?: R): LlmContext & Permitted<R>;
  standings: Map<string, Standing>;
  /** Makes the next writes of audit records fail, as a full disk would. */
  breakAudit(): void;
}

/** The ports of the room in memory, with real transactions: one writer at a time, all or nothing. */
export function memoryLlm(): MemoryLlm {
  let rows = emptyRows();
  let broken = false;
  let last: Promise<unknown> = Promise.resolve();
  const standings = new Map<string, Standing>();
  const random = seededRandom("llm");
  const kept: LlmContext["kept"] = {
    read: portOn(() => rows),
    transaction: (act) => {
      const run = last.then(async () => {
        const draft = structuredClone(rows);
        const port = portOn(() => draft);
        const result = await act(broken ? { ...port, insertAudit: async () => fail("disk full") } : port);
        rows = draft;
        return result;
      });
      last = run.catch(() => undefined);
      return run;
    },
  };
  const base = {
    kept,
    random,
    clock: fixedClock(),
    keys: loadKeys(createKeyFile(random)),
  };
  return {
    rows: () => rows,
    as: <R extends Right = "administer">(given: Partial<Person>, right?: R) => {
      const person: Person = { name: "ada", role: "admin", configurations: null, ...given };
      const asked = { person, policy: { reviewers: true } };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the right that is meant where none is said
      const permit = requireRight(asked, right ?? ("administer" as R));
      return { ...base, permit, standingOf: async (entry) => standings.get(entry) };
    },
    standings,
    breakAudit: () => {
      broken = true;
    },
  };
}

function emptyRows(): Rows {
  const records = { provider: new Map(), configuration: new Map(), task: new Map() };
  return { records, attached: new Map(), audit: [], generation: 0 };
}

function portOn(rows: () => Rows): LlmWrites & AuditWrites {
  return {
    findLlmRecord: async (kind, id) => rows().records[kind].get(id),
    listLlmRecords: async (kind) => [...rows().records[kind].values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    listAttached: async (target) => rows().attached.get(target) ?? [],
    listTargetsOf: async (entry) =>
      [...rows().attached].flatMap(([target, entries]) => (entries.includes(entry) ? [target] : [])).toSorted(),
    putLlmRecord: async (kind, record) => void rows().records[kind].set(record.id, record),
    deleteLlmRecord: async (kind, id) => void rows().records[kind].delete(id),
    putAttached: async (target, entries) => void rows().attached.set(target, [...entries]),
    auditHead: async () => rows().audit.at(-1) ?? { seq: 0, hash: "0".repeat(64) },
    auditAfter: async (after, limit) =>
      rows()
        .audit.filter(({ seq }) => seq > after)
        .slice(0, limit),
    insertAudit: async (records) => void rows().audit.push(...records),
    raiseGeneration: async () => ++rows().generation,
  };
}

function fail(why: string): never {
  throw new Error(why);
}

function seededRandom(seed: string): { bytes(count: number): Uint8Array } {
  let calls = 0;
  return { bytes: (count) => createHash("sha512").update(`${seed} ${calls++}`).digest().subarray(0, count) };
}
