/** What bytes of others say in JSON and in UTF-8; undefined for any others. Nothing of them is repeated anywhere. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
