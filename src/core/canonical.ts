/** What canonical JSON can carry. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain | undefined };

/**
 * The one text of a value: keys in code unit order, no white space, fields that are undefined left out. What is signed
 * or hashed is this text, so that equal values have equal digests whoever wrote them.
 */
export function canonicalJson(value: Plain): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return isList(value) ? listText(value) : objectText(value);
}

function isList(value: object): value is readonly Plain[] {
  return Array.isArray(value);
}

// By hand: every request of a gateway is written down in this form, and lists in between would cost twice as much.
function listText(list: readonly Plain[]): string {
  let text = "[";
  for (const item of list) text += (text === "[" ? "" : ",") + canonicalJson(item);
  return `${text}]`;
}

function objectText(object: { readonly [key: string]: Plain | undefined }): string {
  let text = "{";
  for (const key of Object.keys(object).toSorted()) {
    const field = object[key];
    if (field !== undefined) text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `${text}}`;
}
