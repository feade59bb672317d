import type { Source } from "../../../src/sources/schema.ts";
import { parseSource } from "../../../src/sources/source.ts";
import type { KeyRecord, SessionRecord, UserRecord } from "../../../src/registry/accounts/port.ts";
import type { Entry } from "../../../src/registry/entry.ts";
import type { LedgerRow } from "../../../src/registry/ledger/ledger.ts";
import type { RevisionRow } from "../../../src/registry/revision.ts";
import type { SyncLock } from "../../../src/registry/sync/port.ts";
import type { UsageBatch, UsageRecord } from "../../../src/registry/usage/usage.ts";
import type { StoreReads, StoreWrites } from "../../../src/store/store.ts";
import type { AuditRecord, InjectionRecord } from "../../../src/registry/schema.ts";

export function entry(id: string, patch: Partial<Entry> = {}): Entry {
  const origin = { loading: "[]", seal: "", commit: null, repositoryId: null };
  return { id, source: "house", path: id, present: true, awayAt: 0, current: "digest", ...origin, ...patch };
}

export function revision(digest: string, patch: Partial<RevisionRow> = {}): RevisionRow {
  return { digest, folder: "folder", files: "[]", summary: "{}", seal: "seal", ...patch };
}

/** A revision in the history of an entry. */
export function kept(of: string, digest: string, seenAt = 1, commit: string | null = null) {
  return { entry: of, digest, seenAt, commit };
}

export function statement(patch: Partial<LedgerRow> = {}): Omit<LedgerRow, "place"> {
  return { seq: 1, subject: "house:a", payload: "{}", key: "key", signature: "signature", ...patch };
}

export function audited(seq: number, patch: Partial<AuditRecord> = {}): AuditRecord {
  const said = { at: seq, by: "ada", act: "user.added", subject: "ben", details: "{}" };
  return { seq, ...said, prev: "before", hash: `hash ${seq}`, ...patch };
}

export function batch(id: string, patch: Partial<UsageBatch> = {}): UsageBatch {
  return { id, node: "node", at: 1, count: 1, hash: "hash", expiredAt: null, ...patch };
}

export function used(patch: Partial<UsageRecord> = {}): UsageRecord {
  const where = { configuration: null, task: null, conversation: null, tool: null };
  return { at: 1, event: "routed", entry: "house:a", digest: "digest", ...where, ...patch };
}

export function injection(id: string, patch: Partial<InjectionRecord> = {}): InjectionRecord {
  const asked = { request: "req", by: "ada", operation: "chat", configuration: "support", task: null, model: "m" };
  const given = { generation: 1, digest: "digest", bytes: 9, included: [], dropped: [], findings: [] };
  return { id, at: 1, ...asked, ...given, ...patch };
}

export function source(id: string, patch: Partial<Source> = {}): Source {
  const record = JSON.stringify({ kind: "folder", url: "/skills", enabled: true, addedBy: "ada" });
  return { ...parseSource(id, record), ...patch };
}

export function lock(patch: Partial<SyncLock> = {}): SyncLock {
  return { source: "house", token: 1, holder: "holder", takenAt: 1, beatAt: 1, ...patch };
}

export function user(name: string, patch: Partial<UserRecord> = {}): UserRecord {
  return { name, role: "admin", password: "hash", createdAt: 1, disabledAt: null, seal: "seal", ...patch };
}

export function apiKey(id: string, patch: Partial<KeyRecord> = {}): KeyRecord {
  const limits = { user: null, configurations: null, revokedAt: null };
  return { id, name: "name", role: "reader", hash: "hash", createdAt: 1, seal: "seal", ...limits, ...patch };
}

export function session(hash: string, patch: Partial<SessionRecord> = {}): SessionRecord {
  return { hash, user: "ada", way: "password", createdAt: 1, seenAt: 1, seal: "seal", ...patch };
}

type Writing = Exclude<keyof StoreWrites, keyof StoreReads>;

/** Every way to write, none of which is without effect after the others were done. */
export const everyWrite: Readonly<Record<Writing, (port: StoreWrites) => Promise<unknown>>> = {
  setStoreIdentity: (port) => port.setStoreIdentity({ id: "one", seal: "seal" }),
  raiseGeneration: (port) => port.raiseGeneration(),
  putEntries: (port) => port.putEntries([entry("house:a"), entry("house:b")]),
  putRevisions: (port) => port.putRevisions([revision("digest")], new Map([["file", Buffer.from("bytes")]])),
  insertKept: (port) => port.insertKept([kept("house:a", "digest")]),
  appendLedger: (port) => port.appendLedger(statement()),
  insertAudit: (port) => port.insertAudit([audited(1)]),
  insertUsage: async (port) => {
    await port.insertUsage(batch("old", { at: 0 }), [used()], [injection("inj_old")]);
    await port.insertUsage(batch("new"), [used()], [injection("inj_new")]);
  },
  expireUsage: (port) => port.expireUsage(1, 2),
  putSource: (port) => port.putSource(source("house", { dueAt: 1 })),
  deleteSource: (port) => port.deleteSource("guest"),
  claimDue: (port) => port.claimDue(1, () => 1),
  putLock: (port) => port.putLock(lock()),
  putProvenance: (port) => port.putProvenance([{ entry: "house:a", record: "{}" }]),
  deleteProvenance: (port) => port.deleteProvenance(["guest:a"]),
  putSecret: (port) => port.putSecret("source:house", "secret"),
  deleteSecret: (port) => port.deleteSecret("source:guest"),
  putUser: (port) => port.putUser(user("ada")),
  deleteUser: (port) => port.deleteUser("ben"),
  putKey: (port) => port.putKey(apiKey("key")),
  putSession: (port) => port.putSession(session("hash")),
  deleteSession: (port) => port.deleteSession("other"),
  deleteSessionsOf: (port) => port.deleteSessionsOf("ben"),
  deleteSessionsBefore: (port) => port.deleteSessionsBefore(1, 1),
  putLlmRecord: (port) => port.putLlmRecord("task", { id: "task", record: "{}", secret: null }),
  deleteLlmRecord: (port) => port.deleteLlmRecord("task", "other"),
  putAttached: (port) => port.putAttached("task:task", ["house:a"]),
  putTriggers: (port) => port.putTriggers("house:a", "[]"),
  putVectors: (port) => port.putVectors("model", [{ digest: "digest", vector: Buffer.from("bytes") }]),
  putPublished: (port) => port.putPublished({ entry: "house:a", at: 1, by: "ada", seal: "seal" }),
  deletePublished: (port) => port.deletePublished("guest:a"),
  putReader: (port) => port.putReader({ name: "webhook", seq: 1, dueAt: 1, attempts: 0, note: "" }),
  claimReader: (port) => port.claimReader("webhook", { now: 1, latest: 1 }, 1),
  putEvaluation: (port) => port.putEvaluation("routing", { id: "ev_1", at: 1, line: "{}", report: "{}" }, 9),
};

export async function writeEverywhere(port: StoreWrites): Promise<void> {
  for (const write of Object.values(everyWrite)) await write(port);
}
