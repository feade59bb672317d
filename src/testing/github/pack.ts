import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObject } from "./object.ts";

const kindNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Objects as `git index-pack` takes them in, all of a push at once. */
export function createPack(objects: readonly GitObject[]): Buffer {
  const unique = [...new Map(objects.map((object) => [object.id, object])).values()];
  const head = Buffer.alloc(12);
  head.write("PACK", 0, "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(unique.length, 8);
  const body = Buffer.concat([head, ...unique.flatMap(packed)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

function packed({ kind, bytes }: GitObject): Buffer[] {
  return [headOf(kindNumbers[kind], bytes.length), deflateSync(bytes, { level: 1 })];
}

/** Four bits of the size beside the kind, then seven in each byte, lowest first; the top bit says that more follow. */
function headOf(kind: number, size: number): Buffer {
  const head: number[] = [];
  let byte = (kind << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push(byte | 128);
    byte = rest & 127;
  }
  return Buffer.from([...head, byte]);
}
