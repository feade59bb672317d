/** What canonical JSON can carry. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain | undefined };

/**
 * The one text of a value: keys in code unit order, no white space, fields that are undefined left out. What is signed
 * or hashed is this text, so that equal values have equal digests whoever wrote them.
 */
export function canonicalJson(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map((item: Plain) => canonicalJson(item)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const written = fields.flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(field)}`],
  );
  return `{${written.join(",")}}`;
}
