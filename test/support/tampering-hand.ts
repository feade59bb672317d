import { canonicalJson } from "../../src/core/canonical.ts";
import { auditHash } from "../../src/registry/audit/audit.ts";
import type { Cell, Row, StoreHome } from "./tampering.ts";

/** What a hand in the database does most. */

export async function row(home: StoreHome, from: string, ...parameters: readonly Cell[]): Promise<Row> {
  const [found] = await home.sql(`SELECT * FROM ${from}`, ...parameters);
  if (found === undefined) throw new Error(`no row: ${from} ${parameters.join(", ")}`);
  return found;
}

export async function insert(home: StoreHome, table: string, values: Row): Promise<void> {
  const columns = Object.keys(values);
  const marks = columns.map(() => "?").join(", ");
  await home.sql(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`, ...Object.values(values));
}

/** The signed words about a subject, the oldest first. */
export async function words(home: StoreHome, subject: string): Promise<Row[]> {
  return home.sql("SELECT * FROM ledger WHERE subject = ? ORDER BY seq", subject);
}

export async function lastWord(home: StoreHome, subject: string): Promise<Row> {
  const last = (await words(home, subject)).at(-1);
  if (last === undefined) throw new Error(`no word about ${subject}`);
  return last;
}

type Json = Record<string, unknown>;

export async function editPayload(home: StoreHome, word: Row, change: Json): Promise<void> {
  const said: Json = { ...JSON.parse(String(word["payload"])), ...change };
  await home.sql("UPDATE ledger SET payload = ? WHERE place = ?", canonicalJson(said as never), word["place"] ?? 0);
}

/** Without the number that the database gives. */
export function withoutPlace(word: Row): Row {
  return Object.fromEntries(Object.entries(word).filter(([column]) => column !== "place"));
}

/** The record in the audit that carries the copy of a word. */
export async function recordOf(home: StoreHome, { signature }: Row): Promise<Row> {
  return row(home, "audit WHERE details LIKE ?", `%${String(signature)}%`);
}

export async function editJson(home: StoreHome, table: string, column: string, id: string, change: Json) {
  const key = table === "revisions" ? "digest" : "id";
  const stored = JSON.parse(String((await row(home, `${table} WHERE ${key} = ?`, id))[column]));
  await home.sql(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, JSON.stringify({ ...stored, ...change }), id);
}

/** Links and hashes all records again from one on, as whoever knows the format can. */
export async function rechain(home: StoreHome, from: number): Promise<void> {
  const records = await home.sql("SELECT * FROM audit WHERE seq >= ? ORDER BY seq", from - 1);
  let prev = records[0]?.["hash"] ?? "";
  for (const record of records.slice(1)) {
    const hash = hashOf(record, String(prev));
    await home.sql("UPDATE audit SET prev = ?, hash = ? WHERE seq = ?", prev, hash, record["seq"] ?? 0);
    prev = hash;
  }
}

function hashOf(record: Row, prev: string): string {
  const { seq, at, by_whom, act, subject, details } = record;
  return auditHash({
    seq: Number(seq),
    at: Number(at),
    by: String(by_whom),
    act: String(act),
    subject: String(subject),
    details: String(details),
    prev,
  });
}

/** One more record, with the right hash. */
export async function appendRecord(home: StoreHome, values: { act: string; subject: string; details: string }) {
  const head = await row(home, "audit ORDER BY seq DESC LIMIT 1");
  const record = { seq: Number(head["seq"]) + 1, at: 1, by_whom: "ada", ...values };
  const prev = String(head["hash"]);
  await insert(home, "audit", { ...record, prev, hash: hashOf(record, prev) });
}

export async function swap(home: StoreHome, table: string, key: string, one: Cell, other: Cell, columns: string[]) {
  const [a, b] = [
    await row(home, `${table} WHERE ${key} = ?`, one),
    await row(home, `${table} WHERE ${key} = ?`, other),
  ];
  const set = columns.map((column) => `${column} = ?`).join(", ");
  const take = (from: Row) => columns.map((column) => from[column] ?? null);
  await home.sql(`UPDATE ${table} SET ${set} WHERE ${key} = ?`, ...take(b), one);
  await home.sql(`UPDATE ${table} SET ${set} WHERE ${key} = ?`, ...take(a), other);
}
