import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import pg from "pg";
import { Connection } from "../../src/store/sqlite/connection.ts";

/** Called before and after everything that changes the database or the disk. */
export type Reach = (point: string) => unknown;

/** Puts itself under the drivers and the disk of this process: the flows above are the real ones and know nothing. */
export function atEveryPoint(reach: Reach): void {
  watchSqlite(reach);
  watchPostgres(reach);
  watchDisk(reach);
}

/** The driver's own classes are sealed: the one file of ours that calls them is watched instead. */
function watchSqlite(reach: Reach): void {
  for (const method of ["run", "all"])
    wrap(Connection.prototype, method, ([sql], proceed) => {
      const name = nameOf(sql);
      if (name === undefined) return proceed();
      reach(`before ${name}`);
      const result = proceed();
      reach(`after ${name}`);
      return result;
    });
}

function watchPostgres(reach: Reach): void {
  wrap(pg.Client.prototype, "query", ([sql], proceed) => {
    const name = nameOf(sql);
    return name === undefined ? proceed() : around(reach, name, proceed);
  });
}

const changes = /^\s*(?:begin|commit|insert|update|delete|create|pragma (?:user_version =|journal_mode))/i;

/** Of a statement that changes something; undefined for the others: dying at them is dying at the one before. */
function nameOf(sql: unknown): string | undefined {
  if (typeof sql !== "string" || !changes.test(sql)) return undefined;
  return sql.replaceAll('"', "").trim().split(/\s+/).slice(0, 3).join(" ");
}

function watchDisk(reach: Reach): void {
  for (const method of ["rename", "link", "rm", "mkdir"])
    wrap(fs, method, (_args, proceed) => around(reach, method, proceed));
  wrap(fs, "open", async ([, flags], proceed) => {
    if (/[aw+]/.test(String(flags))) return openToWrite(reach, proceed);
    const handle = Object(await proceed());
    wrap(handle, "sync", (_args, flush) => around(reach, "flush of a folder", flush));
    return handle;
  });
  // So that those who have imported them by name see them too.
  syncBuiltinESMExports();
}

async function openToWrite(reach: Reach, proceed: () => unknown): Promise<object> {
  const handle = Object(await around(reach, "open", proceed));
  wrap(handle, "writeFile", (_args, write) => around(reach, "write", write));
  wrap(handle, "sync", (_args, flush) => around(reach, "flush of a file", flush));
  return handle;
}

async function around(reach: Reach, name: string, act: () => unknown): Promise<unknown> {
  await reach(`before ${name}`);
  const result = await act();
  await reach(`after ${name}`);
  return result;
}

type Wrapper = (args: readonly unknown[], proceed: () => unknown) => unknown;

function wrap(target: object, method: string, wrapper: Wrapper): void {
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== "function") throw new TypeError(`there is no ${method} to watch`);
  const value = function (this: unknown, ...args: unknown[]): unknown {
    return wrapper(args, () => Reflect.apply(original, this, args));
  };
  Object.defineProperty(target, method, { value, configurable: true, writable: true });
}
