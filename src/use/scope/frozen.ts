/** Frozen through and through. For plain data of bounded depth only. */
export function deepFrozen<Data>(data: Data): Data {
  if (typeof data !== "object" || data === null) return data;
  for (const part of Object.values(data)) deepFrozen(part);
  return Object.freeze(data);
}
