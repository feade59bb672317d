import { parseJson } from "../../core/json/json.ts";

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object out of bytes of others; undefined for anything else. */
export function parseRecord(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(bytes);
  return isRecord(value) ? value : undefined;
}

/** A member, where it is a text: what every object has beside its own is none. */
export function textIn(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}
