/** More than any embedding model in use gives. */
const mostDimensions = 8192;
const version = 1;

/**
 * A vector of length 1 in the direction of what a model service answered; undefined for what has none: no numbers, not
 * finite ones, all zero, none or too many.
 */
export function directionOf(values: unknown): Float32Array | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > mostDimensions) return undefined;
  const numbers: readonly unknown[] = values;
  let sum = 0;
  for (const value of numbers) sum += typeof value === "number" ? value * value : Number.NaN;
  if (!Number.isFinite(sum) || sum === 0) return undefined;
  return Float32Array.from(numbers, (value) => Number(value) / Math.sqrt(sum));
}

/**
 * A direction as it is kept: one byte for the version, then one for each dimension. Measured over 100,000 of 256 and of
 * 768 dimensions, comparing bytes with a query in floating point takes a quarter longer than comparing floats (18 and
 * 105 ms against 15 and 85), in a quarter of the memory (77 MB against 307) and of the time to load, and the cosines
 * differ in the third place. The length need not be kept: it is 1 again when the bytes are divided by theirs.
 */
export function encodeDirection(direction: Float32Array): Uint8Array {
  const largest = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bytes = new Int8Array(direction.length + 1);
  bytes[0] = version;
  for (const [at, value] of direction.entries()) bytes[at + 1] = Math.round((value / largest) * 127);
  return new Uint8Array(bytes.buffer);
}

/** The bytes of each dimension; undefined for a row that holds no vector, whoever wrote it. */
export function decodeDirection(row: unknown): Int8Array | undefined {
  if (!(row instanceof Uint8Array) || row[0] !== version) return undefined;
  if (row.length < 2 || row.length > mostDimensions + 1) return undefined;
  const values = new Int8Array(row.buffer, row.byteOffset + 1, row.length - 1);
  return values.some((value) => value !== 0) ? values : undefined;
}
