import type { Kept } from "../core/kept.ts";
import { createMutex } from "../core/mutex.ts";
import type { KeyRecord, Reads, SessionRecord, UserRecord, Writes } from "../registry/accounts/port.ts";
import type { AuditRecord } from "../registry/audit/audit.ts";

/** What is kept, open to whoever wants to write rows by hand. */
export interface AccountRows {
  users: Map<string, UserRecord>;
  keys: Map<string, KeyRecord>;
  sessions: Map<string, SessionRecord>;
  audit: AuditRecord[];
  generation: number;
}

/** Users, keys, sessions and the audit chain in memory: one writer at a time, and a transaction that throws leaves nothing. */
export function memoryAccounts(): Kept<Reads, Writes> & { readonly rows: AccountRows } {
  const rows: AccountRows = { users: new Map(), keys: new Map(), sessions: new Map(), audit: [], generation: 0 };
  const inTurn = createMutex();
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

function copyOf({ users, keys, sessions, audit, generation }: AccountRows): AccountRows {
  return {
    users: new Map(users),
    keys: new Map(keys),
    sessions: new Map(sessions),
    audit: [...audit],
    generation,
  };
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
    findSession: async (hash) => rows.sessions.get(hash),
    putSession: async (session) => void rows.sessions.set(session.hash, session),
    deleteSession: async (hash) => void rows.sessions.delete(hash),
    deleteSessionsOf: async (user) => deleteWhere(rows.sessions, (session) => session.user === user),
    deleteSessionsBefore: async (createdBefore, seenBefore) =>
      deleteWhere(rows.sessions, ({ createdAt, seenAt }) => createdAt < createdBefore || seenAt < seenBefore),
    auditHead: async () => rows.audit.at(-1) ?? { seq: 0, hash: "0".repeat(64) },
    auditAfter: async (after, limit) => rows.audit.slice(after, after + limit),
    findAudit: async ({ acts, after = 0, before = Infinity, limit }) =>
      rows.audit
        .filter(({ seq, act }) => seq > after && seq < before && (acts?.some((known) => known === act) ?? true))
        .slice(0, limit),
    insertAudit: async (records) => void rows.audit.push(...records),
    raiseGeneration: async (by = 1) => (rows.generation += by),
  };
}

function deleteWhere<Row>(rows: Map<string, Row>, fits: (row: Row) => boolean): void {
  for (const [key, row] of rows) if (fits(row)) rows.delete(key);
}

function inOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  const sorted = [...rows].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.map(([, row]) => row);
}
