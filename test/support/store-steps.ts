import type { MigrationStep } from "../../src/store/migrate.ts";
import { createAllTables } from "../../src/store/schema.ts";

/** Steps as later releases may have them, after the one that makes a store. The last one fails half-way. */
export const laterSteps: readonly MigrationStep[] = [
  createAllTables,
  ({ number }) => [
    "CREATE INDEX usage_by_entry ON usage (entry)",
    `ALTER TABLE sources ADD COLUMN looked_at ${number} NOT NULL DEFAULT 7`,
  ],
  ({ text, number, tableOptions }) => [
    `CREATE TABLE notes (source ${text} PRIMARY KEY, at ${number} NOT NULL)${tableOptions}`,
    "INSERT INTO notes (source, at) SELECT id, looked_at FROM sources",
  ],
  ({ number, tableOptions }) => [
    "DELETE FROM sources",
    `CREATE TABLE half (at ${number})${tableOptions}`,
    "INSERT INTO nowhere (at) VALUES (1)",
  ],
];
