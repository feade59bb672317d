import { isText, parseJson, readList } from "../../core/json/json.ts";
import type { Selectable } from "kysely";
import type { AccountWrites, KeyRecord, SessionRecord, UserRecord } from "../../registry/accounts/port.ts";
import type { Schema } from "../schema.ts";
import type { Db } from "../queries.ts";

export function accountTables(db: Db): AccountWrites {
  return {
    async findUser(name) {
      const row = await db.selectFrom("users").selectAll().where("name", "=", name).executeTakeFirst();
      return row && userOf(row);
    },
    async listUsers() {
      return (await db.selectFrom("users").selectAll().orderBy("name").execute()).map(userOf);
    },
    async putUser({ name, role, password, createdAt, disabledAt, seal }) {
      const user = { role, password, created_at: createdAt, disabled_at: disabledAt, seal };
      const insert = db.insertInto("users").values({ name, ...user });
      await insert.onConflict((row) => row.column("name").doUpdateSet(user)).execute();
    },
    async deleteUser(name) {
      await db.deleteFrom("users").where("name", "=", name).execute();
    },
    async findKey(id) {
      const row = await db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
      return row && keyOf(row);
    },
    async listKeys() {
      return (await db.selectFrom("api_keys").selectAll().orderBy("id").execute()).map(keyOf);
    },
    async putKey({ id, user, configurations, createdAt, revokedAt, ...same }) {
      const limits = configurations === null ? null : JSON.stringify(configurations);
      const key = { ...same, owner: user, configurations: limits, created_at: createdAt, revoked_at: revokedAt };
      const insert = db.insertInto("api_keys").values({ id, ...key });
      await insert.onConflict((row) => row.column("id").doUpdateSet(key)).execute();
    },
    async findSession(hash) {
      const row = await db.selectFrom("sessions").selectAll().where("hash", "=", hash).executeTakeFirst();
      return row && sessionOf(row);
    },
    async putSession({ hash, user, way, createdAt, seenAt, seal }) {
      const session = { owner: user, way, created_at: createdAt, seen_at: seenAt, seal };
      const insert = db.insertInto("sessions").values({ hash, ...session });
      await insert.onConflict((row) => row.column("hash").doUpdateSet(session)).execute();
    },
    async deleteSession(hash) {
      await db.deleteFrom("sessions").where("hash", "=", hash).execute();
    },
    async deleteSessionsOf(user) {
      await db.deleteFrom("sessions").where("owner", "=", user).execute();
    },
    async deleteSessionsBefore(createdBefore, seenBefore) {
      await db
        .deleteFrom("sessions")
        .where((row) => row.or([row("created_at", "<", createdBefore), row("seen_at", "<", seenBefore)]))
        .execute();
    },
  };
}

function userOf({ created_at, disabled_at, ...same }: Selectable<Schema["users"]>): UserRecord {
  return { ...same, createdAt: created_at, disabledAt: disabled_at };
}

function sessionOf({ owner, created_at, seen_at, ...same }: Selectable<Schema["sessions"]>): SessionRecord {
  return { ...same, user: owner, createdAt: created_at, seenAt: seen_at };
}

function keyOf({ owner, configurations, created_at, revoked_at, ...same }: Selectable<Schema["api_keys"]>): KeyRecord {
  const limits = configurations === null ? null : parseNames(configurations);
  return { ...same, user: owner, configurations: limits, createdAt: created_at, revokedAt: revoked_at };
}

/** What cannot be read comes back empty: then the seal does not fit, and the key can still be listed and revoked. */
function parseNames(text: string): readonly string[] {
  return readList(parseJson(text), (name) => (isText(name) ? name : undefined)) ?? [];
}
