import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { AppError } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import type { Schema } from "./schema.ts";

/** Runs one statement on an engine. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;

export type Db = Kysely<Schema>;

export function sqliteQueries(execute: Execute): Db {
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driverOf(execute),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    } satisfies Dialect,
  });
}

export function postgresQueries(execute: Execute): Db {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOf(execute),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    } satisfies Dialect,
  });
}

const nothing = async () => {};
const refuse = async () => {
  throw new Error("transactions are begun by the store");
};

/** Connections and transactions are the engine's own: it opens and ends them around the queries. */
function driverOf(execute: Execute): Driver {
  const only: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      for (const parameter of parameters) demandKeepable(parameter);
      // The schema says what the row of a query is; no driver can.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { rows: (await execute(sql, parameters)) as Row[] };
    },
    streamQuery() {
      throw new Error("queries are paged, not streamed");
    },
  };
  return {
    init: nothing,
    acquireConnection: async () => only,
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  };
}

/**
 * Refuses what would not come back as it was given. SQLite ends a text at its first NUL, so that it would find and
 * write another row than the one named; PostgreSQL knows no NUL; neither knows half of a surrogate pair, or a fraction
 * in a whole number.
 */
function demandKeepable(parameter: unknown): void {
  if (typeof parameter === "number" && !Number.isSafeInteger(parameter))
    throw new TypeError(`the store keeps whole numbers, not ${parameter}`);
  if (typeof parameter !== "string" || (parameter.isWellFormed() && !parameter.includes("\0"))) return;
  throw new AppError(
    "usage.invalid",
    `"${safeLine(parameter)}" has a NUL character or half a character in it and cannot be kept; take it out`,
  );
}
