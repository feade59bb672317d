/** The same bytes but one, in the middle. */
export function flipped(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const middle = copy.length >> 1;
  const byte = copy[middle];
  // The lowest bit only: text stays text.
  if (byte !== undefined) copy[middle] = byte ^ 1;
  return copy;
}

const block = 512;

/** The head of a regular file. The first folder of a long path has a field of its own; the rest is cut at 100 bytes. */
export function tarHead(path: string, size: number): Buffer {
  const head = Buffer.alloc(block);
  const slash = Buffer.byteLength(path) > 100 ? path.indexOf("/") : -1;
  head.write(path.slice(slash + 1), 0, 100);
  head.write(path.slice(0, Math.max(0, slash)), 345, 155);
  head.write("0000644\0", 100, "latin1");
  head.write("0000000\0".repeat(2), 108, "latin1");
  head.write(`${octal(size, 11)} ${octal(0, 11)} `, 124, "latin1");
  head.write("        0", 148, "latin1");
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return head;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

export function createTar(files: readonly { readonly path: string; readonly bytes: Buffer }[]): Buffer {
  const parts = files.flatMap(({ path, bytes }) => [
    tarHead(path, bytes.length),
    bytes,
    Buffer.alloc(padding(bytes.length)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function padding(size: number): number {
  return (block - (size % block)) % block;
}

/** The same tarball, with one byte of one file another; as it was when there is no such file in it. */
export function flippedIn(tar: Buffer, path: string): Buffer {
  let longName: string | undefined;
  for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
    const head = tar.subarray(at, at + block);
    const size = Number.parseInt(head.toString("latin1", 124, 136), 8);
    const content = tar.subarray(at + block, at + block + size);
    const kind = head.toString("latin1", 156, 157);
    if (kind === "0" && (longName ?? nameIn(head)) === path) {
      flipped(content).copy(content);
      return tar;
    }
    longName = kind === "x" ? /^\d+ path=(.*)$/m.exec(content.toString())?.[1] : undefined;
    at += block + size + padding(size);
  }
  return tar;
}

function nameIn(head: Buffer): string {
  const text = (from: number, length: number): string =>
    head.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  const [name, prefix] = [text(0, 100), text(345, 155)];
  return prefix === "" ? name : `${prefix}/${name}`;
}
