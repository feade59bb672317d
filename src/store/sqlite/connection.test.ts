import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { Connection } from "./connection.ts";

let folder: string;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skillward-connection-"));
  connection = new Connection(join(folder, "store.db"), "write");
  connection.run("CREATE TABLE notes (text TEXT NOT NULL UNIQUE)");
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

function fill(length: number): void {
  connection.run("BEGIN IMMEDIATE");
  connection.all("INSERT INTO notes VALUES (?)", ["x".repeat(length)]);
  connection.run("COMMIT");
}

test("invariant 9: a commit is on the disk before it is acknowledged", () => {
  expect(connection.all("PRAGMA synchronous")).toEqual([{ synchronous: 2 }]);
  expect(connection.all("PRAGMA journal_mode")).toEqual([{ journal_mode: "wal" }]);
});

test("invariant 9: without room a statement fails as a full disk does, and works when there is room again", () => {
  fill(10);
  connection.run("PRAGMA max_page_count = 20");
  const full = {
    code: "store.failed",
    message: expect.stringMatching(/store\.db: the disk is full; nothing was changed/),
  };
  expect(() => fill(100_000)).toThrow(expect.objectContaining(full));
  expect(connection.isInTransaction).toBe(false);
  expect(connection.all("SELECT length(text) AS length FROM notes")).toEqual([{ length: 10 }]);
  connection.run("PRAGMA max_page_count = 2000");
  fill(100_000);
  expect(connection.all("SELECT count(*) AS count FROM notes")).toEqual([{ count: 2 }]);
});

test("RV-11: a faulty statement is a fault of ours, and not of the store", () => {
  const faulty = () => connection.all("SELECT text FROM nowhere");
  expect(faulty).toThrow("no such table");
  expect(faulty).not.toThrow(AppError);
  fill(5);
  expect(() => connection.all("INSERT INTO notes VALUES ('xxxxx')")).toThrow("UNIQUE constraint failed");
});

test("RV-11: what SQLite has no type for is refused", () => {
  for (const value of [true, undefined, {}, 1n])
    expect(() => connection.all("INSERT INTO notes VALUES (?)", [value])).toThrow(TypeError);
});
