const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The value of a JSON text, or of bytes that are JSON in UTF-8; undefined for anything else. The parser's own message
 * would quote what it was given, so it is not kept.
 */
export function parseJson(source: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof source === "string" ? source : decoder.decode(source));
  } catch {
    return undefined;
  }
}

/** An object with members, as JSON has them: neither null nor a list. What is inherited is not told apart. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text or bytes are in JSON; undefined for anything else. */
export function parseRecord(source: string | Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(source);
  return isRecord(value) ? value : undefined;
}

/** The members of an object from outside. A map: no name in it can reach a prototype (T21). */
export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(value: unknown): Fields | undefined {
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

/** What tells a value that was written down from one that somebody made by hand. */
export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** All of a list, or undefined when it is none or one of its items cannot be read. */
export function readList<Item>(value: unknown, read: (item: unknown) => Item | undefined): Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item: unknown) => read(item)).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

/** What happens to be in a text that no store could keep: half a character, a NUL. The rest of it is kept. */
export function keepable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** A member, where it is a text: what every object has beside its own is none. */
export function textIn(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}
