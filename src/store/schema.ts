import type { Generated } from "kysely";

/** The tables as queries see them, the same on both engines: texts, whole numbers, bytes. */
export interface Schema {
  /** One row: the store itself. */
  store: { one: number; id: string | null; seal: string | null; generation: number };
  /** `due_at` is what the record says, for those that may be synced; null otherwise. */
  sources: { id: string; record: string; due_at: number | null };
  sync_locks: { source: string; token: number; holder: string; taken_at: number; beat_at: number };
  entries: {
    id: string;
    source: string;
    path: string;
    present: number;
    away_at: number;
    current: string;
    loading: string;
    seal: string;
    commit_id: string | null;
    repository_id: number | null;
    /** The generation that last wrote this row. */
    generation: number;
  };
  provenance: { entry: string; record: string };
  revisions: { digest: string; folder: string; files: string; summary: string; seal: string };
  blobs: { digest: string; bytes: Uint8Array };
  entry_revisions: {
    entry: string;
    digest: string;
    commit_id: string | null;
    seen_at: number;
    place: Generated<number>;
  };
  ledger: {
    place: Generated<number>;
    seq: number;
    subject: string;
    payload: string;
    key_id: string;
    signature: string;
  };
  audit: {
    seq: number;
    at: number;
    by_whom: string;
    act: string;
    subject: string;
    details: string;
    prev: string;
    hash: string;
  };
  usage_batches: { id: string; node: string; at: number; size: number; hash: string; expired_at: number | null };
  usage: {
    batch: string;
    number: number;
    at: number;
    event: string;
    entry: string;
    digest: string;
    configuration: string | null;
    task: string | null;
    conversation: string | null;
    tool: string | null;
  };
  injections: { batch: string; number: number; id: string; record: string };
  secrets: { name: string; secret: string };
  users: {
    name: string;
    role: string;
    password: string;
    created_at: number;
    disabled_at: number | null;
    seal: string;
  };
  api_keys: {
    id: string;
    name: string;
    role: string;
    owner: string | null;
    configurations: string | null;
    hash: string;
    created_at: number;
    revoked_at: number | null;
    seal: string;
  };
  llm_records: { kind: string; id: string; record: string; secret: string | null };
  attachments: { target: string; position: number; entry: string };
  triggers: { entry: string; phrases: string };
  vectors: { model: string; digest: string; vector: Uint8Array };
  /** Who is signed in, by the hash of what the browser holds. */
  sessions: { hash: string; owner: string; way: string; created_at: number; seen_at: number; seal: string };
  published: { entry: string; at: number; by_whom: string; seal: string };
  /** The line is what a list shows; the report is read when somebody asks for that one. */
  evaluations: { id: string; kind: string; at: number; line: string; report: string };
  /** Up to which audit record a reader of the chain has come, and when it goes on. */
  readers: { name: string; seq: number; due_at: number; attempts: number; note: string };
}
