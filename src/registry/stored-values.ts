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
