/** Memory that can be handed to another thread instead of being copied: each buffer once. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  collect(value, buffers);
  return [...buffers];
}

function collect(value: unknown, buffers: Set<ArrayBuffer>): void {
  if (typeof value !== "object" || value === null) return;
  // A view on a part of a larger buffer would take the rest along: Node pools small ones.
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffers.add(buffer);
    return;
  }
  for (const inner of Object.values(value)) collect(inner, buffers);
}
