import { DatabaseSync } from "@photostructure/sqlite";

/** A hand in the file can also take away that SQLite refuses values of another type: STRICT is in the tables' own SQL. */
export function loosenTypes(path: string): void {
  const database = new DatabaseSync(path, { defensive: false, timeout: 10_000 });
  try {
    const version = Number(database.prepare("PRAGMA schema_version").get()?.["schema_version"]);
    database.exec(`BEGIN IMMEDIATE; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')'); PRAGMA schema_version = ${version + 1}; COMMIT`);
  } finally {
    database.close();
  }
}
