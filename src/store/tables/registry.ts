import type { Selectable } from "kysely";
import { AppError } from "../../core/error.ts";
import type { AuditWrites } from "../../registry/audit/audit.ts";
import type { Entry } from "../../registry/entry.ts";
import type { InquiryReads } from "../../registry/inquiry.ts";
import type { RegistryWrites } from "../../registry/port.ts";
import type { Schema } from "../schema.ts";
import type { Db } from "../queries.ts";
import { inBatches, lastOfEach, selectAll } from "./batches.ts";
import type { UsagePort } from "./usage.ts";

type Elsewhere = keyof AuditWrites | keyof InquiryReads | keyof UsagePort;

export function registryTables(db: Db): Omit<RegistryWrites, Elsewhere> {
  return { ...identityTable(db), ...entryTables(db), ...ledgerTable(db), ...revisionTables(db) };
}

function identityTable(db: Db) {
  const theStore = () => db.selectFrom("store").selectAll().executeTakeFirstOrThrow();
  return {
    async storeIdentity() {
      const { id, seal } = await theStore();
      return id === null || seal === null ? undefined : { id, seal };
    },
    async setStoreIdentity(identity) {
      await db.updateTable("store").set(identity).execute();
    },
    async generation() {
      const { generation } = await theStore();
      if (Number.isSafeInteger(generation)) return generation;
      throw new AppError("store.failed", "the generation of the store was changed by hand; set it to a whole number");
    },
  } satisfies Partial<RegistryWrites>;
}

function entryTables(db: Db) {
  const entries = () => db.selectFrom("entries").selectAll();
  return {
    async findEntry(id) {
      const row = await entries().where("id", "=", id).executeTakeFirst();
      return row && entryOf(row);
    },
    async listEntries({ source, after, limit }) {
      const page = entries().where("id", ">", after).orderBy("id").limit(limit);
      const rows = await (source === undefined ? page : page.where("source", "=", source)).execute();
      return rows.map(entryOf);
    },
    async entriesSince(generation, { after, limit }) {
      const page = entries().where("generation", ">", generation).where("id", ">", after).orderBy("id").limit(limit);
      return (await page.execute()).map(entryOf);
    },
    async putEntries(written) {
      const { generation } = await db.selectFrom("store").select("generation").executeTakeFirstOrThrow();
      const rows = lastOfEach(written, ({ id }) => id).map((entry) => rowOf(entry, generation + 1));
      await inBatches(rows, (some) =>
        db
          .insertInto("entries")
          .values(some)
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet((row) => ({
              source: row.ref("excluded.source"),
              path: row.ref("excluded.path"),
              present: row.ref("excluded.present"),
              away_at: row.ref("excluded.away_at"),
              current: row.ref("excluded.current"),
              loading: row.ref("excluded.loading"),
              seal: row.ref("excluded.seal"),
              commit_id: row.ref("excluded.commit_id"),
              repository_id: row.ref("excluded.repository_id"),
              generation: row.ref("excluded.generation"),
            })),
          )
          .execute(),
      );
    },
  } satisfies Partial<RegistryWrites>;
}

function entryOf(row: Selectable<Schema["entries"]>): Entry {
  const { id, source, path, current, loading, seal } = row;
  // An unknown word reads as the safest: what is not present is not used (IN-1).
  const present = row.present === 1;
  return {
    id,
    source,
    path,
    present,
    awayAt: row.away_at,
    current,
    loading,
    seal,
    commit: row.commit_id,
    repositoryId: row.repository_id,
  };
}

function rowOf({ present, awayAt, commit, repositoryId, ...same }: Entry, generation: number): Schema["entries"] {
  return {
    ...same,
    present: present ? 1 : 0,
    away_at: awayAt,
    commit_id: commit,
    repository_id: repositoryId,
    generation,
  };
}

const ledgerColumns = ["place", "seq", "subject", "payload", "key_id as key", "signature"] as const;

function ledgerTable(db: Db) {
  const rows = () => db.selectFrom("ledger").select(ledgerColumns);
  return {
    async ledgerAfter(place, limit) {
      return rows().where("place", ">", place).orderBy("place").limit(limit).execute();
    },
    async ledgerTop(limit) {
      return rows().orderBy("seq", "desc").orderBy("place", "desc").limit(limit).execute();
    },
    async ledgerOf(subject) {
      return rows().where("subject", "=", subject).orderBy("seq").orderBy("place").execute();
    },
    async ledgerOfAll(subjects) {
      return selectAll(subjects, (some) => rows().where("subject", "in", some).execute());
    },
    async appendLedger({ key, ...row }) {
      await db
        .insertInto("ledger")
        .values({ ...row, key_id: key })
        .execute();
    },
  } satisfies Partial<RegistryWrites>;
}

function revisionTables(db: Db) {
  return {
    async findRevisions(digests) {
      return selectAll(digests, (some) => db.selectFrom("revisions").selectAll().where("digest", "in", some).execute());
    },
    async findBlobs(digests) {
      const rows = await selectAll(digests, (some) =>
        db.selectFrom("blobs").selectAll().where("digest", "in", some).execute(),
      );
      return new Map(rows.map(({ digest, bytes }) => [digest, bytes]));
    },
    async revisionsOf(entry) {
      const kept = db.selectFrom("entry_revisions").selectAll().where("entry", "=", entry).orderBy("place", "desc");
      return (await kept.execute()).map(({ digest, commit_id, seen_at }) => ({
        digest,
        commit: commit_id,
        seenAt: seen_at,
      }));
    },
    async firstSeen(wanted) {
      // Pair by pair: two lists would make the engine look for each with each.
      const rows = await selectAll([...wanted], (some) =>
        db
          .selectFrom("entry_revisions")
          .select(["entry", "seen_at"])
          .where((row) => row.or(some.map(([entry, digest]) => row.and({ entry, digest }))))
          .execute(),
      );
      return new Map(rows.map(({ entry, seen_at }) => [entry, seen_at]));
    },
    async entriesWith(digest) {
      const rows = db.selectFrom("entry_revisions").select("entry").where("digest", "=", digest).orderBy("entry");
      return (await rows.execute()).map(({ entry }) => entry);
    },
    async putRevisions(revisions, blobs) {
      const files = [...blobs].map(([digest, bytes]) => ({ digest, bytes }));
      await inBatches(
        files,
        (some) =>
          db
            .insertInto("blobs")
            .values(some)
            .onConflict((conflict) =>
              conflict.column("digest").doUpdateSet((row) => ({ bytes: row.ref("excluded.bytes") })),
            )
            .execute(),
        // So that no statement carries more than some 8 MB.
        ({ bytes }) => 1 + bytes.length / 16_384,
      );
      const whole = lastOfEach(revisions, ({ digest }) => digest);
      await inBatches(whole, (some) =>
        db
          .insertInto("revisions")
          .values(some)
          .onConflict((conflict) =>
            conflict.column("digest").doUpdateSet((row) => ({
              folder: row.ref("excluded.folder"),
              files: row.ref("excluded.files"),
              summary: row.ref("excluded.summary"),
              seal: row.ref("excluded.seal"),
            })),
          )
          .execute(),
      );
    },
    async insertKept(kept) {
      const rows = kept.map(({ entry, digest, commit, seenAt }) => ({
        entry,
        digest,
        commit_id: commit,
        seen_at: seenAt,
      }));
      await inBatches(rows, (some) =>
        db
          .insertInto("entry_revisions")
          .values(some)
          .onConflict((row) => row.doNothing())
          .execute(),
      );
    },
  } satisfies Partial<RegistryWrites>;
}
