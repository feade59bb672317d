import type { Kept } from "../base/kept.ts";
import type { AccountReads, AccountWrites, KeyRecord, UserRecord } from "../registry/accounts/port.ts";
import { createTurns } from "../base/turns.ts";
import type { AuditReads, AuditRecord, AuditWrites } from "../registry/audit.ts";

/** What is kept, open to whoever wants to write rows by hand. */
export interface AccountRows {
  users: Map<string, UserRecord>;
  keys: Map<string, KeyRecord>;
  audit: AuditRecord[];
  generation: number;
}

type Reads = AccountReads & AuditReads;
type Writes = AccountWrites & AuditWrites;

/** Users, keys and the audit chain in memory: one writer at a time, and a transaction that throws leaves nothing. */
export function memoryAccounts(): Kept<Reads, Writes> & { readonly rows: AccountRows } {
  const rows: AccountRows = { users: new Map(), keys: new Map(), audit: [], generation: 0 };
  const inTurn = createTurns(1);
  return {
    rows,
    read: portOn(rows),
    transaction: (act) =>
      inTurn(async () => {
        const draft = copyOf(rows);
        const result = await act(portOn(draft));
        Object.assign(rows, draft);
        return result;
      }),
  };
}

const insertAudit = () => Promise.reject(new Error("the disk is full"));

/** The same accounts on a disk that has no room for another audit record. */
export function withFullAudit(accounts: Kept<Reads, Writes>): Kept<Reads, Writes> {
  return {
    read: accounts.read,
    transaction: (act) => accounts.transaction((port) => act({ ...port, insertAudit })),
  };
}

function copyOf({ users, keys, audit, generation }: AccountRows): AccountRows {
  return { users: new Map(users), keys: new Map(keys), audit: [...audit], generation };
}

function portOn(rows: AccountRows): Writes {
  return {
    findUser: async (name) => rows.users.get(name),
    listUsers: async () => inOrder(rows.users),
    putUser: async (user) => void rows.users.set(user.name, user),
    deleteUser: async (name) => void rows.users.delete(name),
    findKey: async (id) => rows.keys.get(id),
    listKeys: async () => inOrder(rows.keys),
    putKey: async (key) => void rows.keys.set(key.id, key),
    auditHead: async () => rows.audit.at(-1) ?? { seq: 0, hash: "0".repeat(64) },
    auditAfter: async (after, limit) => rows.audit.slice(after, after + limit),
    insertAudit: async (records) => void rows.audit.push(...records),
    raiseGeneration: async () => ++rows.generation,
  };
}

function inOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  const sorted = [...rows].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.map(([, row]) => row);
}
