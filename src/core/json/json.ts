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
