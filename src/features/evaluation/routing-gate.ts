import { AppError } from "../../core/error.ts";
import { fieldsOf, parseJson } from "../../core/json/json.ts";
import { safeLine } from "../../core/text.ts";
import type { Files } from "../../core/world.ts";
import type { Gate } from "../../routing/evaluation/golden.ts";
import { refusedFile } from "../../app/files/json-lines-file.ts";

const mostBytes = 1024 * 1024;
const shares = ["p1", "mrr", "falseFires", "coverage"] as const;
const known: ReadonlySet<string> = new Set(["n", ...shares]);

/** The bounds that a thresholds file has under `routing` (RT-9). A measure that is not known is refused: a typo would gate nothing. */
export async function loadGate(files: Files, path: string): Promise<Gate> {
  const bytes = await files.read(await files.resolve(path), mostBytes);
  if (!(bytes instanceof Uint8Array)) throw refusedFile(path, `has ${bytes.size} bytes; at most ${mostBytes} are read`);
  const fields = fieldsOf(fieldsOf(jsonOf(path, bytes))?.get("routing"));
  if (fields === undefined) throw refusedFile(path, 'has no thresholds for routing: { "routing": { "p1": 0.9 } }');
  const unknown = [...fields.keys()].find((key) => !known.has(key));
  if (unknown !== undefined)
    throw refusedFile(path, `routing.${safeLine(unknown, 64)} is not measured; there are ${[...known].join(", ")}`);
  return Object.fromEntries([...fields].map(([key, value]) => [key, boundOf(path, key, value)]));
}

function jsonOf(path: string, bytes: Uint8Array): unknown {
  const value = parseJson(bytes);
  if (value === undefined) throw refusedFile(path, "is not JSON in UTF-8");
  return value;
}

function boundOf(path: string, key: string, value: unknown): number {
  if (typeof value !== "number") throw refusedFile(path, `routing.${key}: expected a number`);
  if (key === "n" ? isCount(value) : isShare(value)) return value;
  throw refusedFile(path, `routing.${key}: expected ${key === "n" ? "a whole number above 0" : "a share from 0 to 1"}`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

/** A share as it is typed: `0.9`. */
export function parseShare(flag: string, text: string): number {
  if (/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `${flag}: expected a share from 0 to 1, such as 0.9`);
}
