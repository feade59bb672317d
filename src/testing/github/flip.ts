/** The same bytes but one, in the middle. */
export function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  const byte = copy[middle];
  // The lowest bit only: text stays text.
  if (byte !== undefined) copy[middle] = byte ^ 1;
  return copy;
}
