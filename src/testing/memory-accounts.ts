import { createMutex } from "../core/async.ts";
import { sha256 } from "../core/digest.ts";
import type { Kept } from "../core/kept.ts";
import { AccountHistory, named } from "../registry/accounts/account-history.ts";
import type {
  AccountsContext,
  KeyRecord,
  Reads,
  SessionRecord,
  UserRecord,
  Writes,
} from "../registry/accounts/port.ts";
import type { Role } from "../registry/accounts/roles.ts";
import { sealUser } from "../registry/accounts/seal.ts";
import { createKeyFile, loadKeys } from "../registry/keys.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { seededRandomness } from "./seeded-randomness.ts";
import type { AuditRecord } from "../registry/schema.ts";

/** What is kept, open to whoever wants to write rows by hand. */
interface AccountRows {
  users: Map<string, UserRecord>;
  keys: Map<string, KeyRecord>;
  sessions: Map<string, SessionRecord>;
  audit: AuditRecord[];
  generation: number;
}

/** Users, keys, sessions and the audit chain in memory: one writer at a time, and a transaction that throws leaves nothing. */
function memoryAccounts(): Kept<Reads, Writes> & { readonly rows: AccountRows } {
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

export type Accounts = AccountsContext & {
  readonly kept: ReturnType<typeof memoryAccounts>;
  readonly clock: FixedClock;
};

/** Accounts in memory at the time 1000, with these users, whose encoded password is `password`. */
export function accountsWith(users: Readonly<Record<string, Role>>, password = ""): Accounts {
  const [kept, clock, random] = [memoryAccounts(), fixedClock(1000), seededRandomness()];
  const keys = loadKeys(createKeyFile(random));
  const accounts = { kept, keys, clock, random, policy: { reviewers: false }, history: new AccountHistory() };
  for (const [name, role] of Object.entries(users))
    leaveUser(accounts, { name, role, password, createdAt: 1000, disabledAt: null });
  return accounts;
}

/** Rows that must be there. */
export function userRow({ kept }: Accounts, name: string): UserRecord {
  const user = kept.rows.users.get(name);
  if (user === undefined) throw new Error(`no row of ${name}`);
  return user;
}

export function sessionRow({ kept }: Accounts, secret: string): SessionRecord {
  const session = kept.rows.sessions.get(sha256(Buffer.from(secret)));
  if (session === undefined) throw new Error("no row of this session");
  return session;
}

/** The row of a user as somebody with the right to has left it, with the record of that. */
export function leaveUser({ kept: { rows }, keys }: Accounts, user: Omit<UserRecord, "seal">): void {
  const { name, role, createdAt: at } = user;
  const record = { seq: rows.audit.length + 1, at, by: "root", act: "user.added", subject: name, prev: "", hash: "" };
  rows.audit.push({ ...record, details: JSON.stringify({ role, ...named }) });
  rows.users.set(name, sealUser(keys, user, record.seq));
}
