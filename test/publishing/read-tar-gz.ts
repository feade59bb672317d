import { gunzipSync } from "node:zlib";

/** What a reader finds in a `.tar.gz` of plain files: path, mode, time, owner and bytes. Knows ustar and nothing else. */
export function readTarGz(bytes: Uint8Array) {
  const tar = gunzipSync(bytes);
  const text = (from: number, length: number) => tar.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  const files = [];
  let at = 0;
  while (tar[at] !== 0) {
    const [name, prefix] = [text(at, 100), text(at + 345, 155)];
    const number = (offset: number, length: number) => Number.parseInt(text(at + offset, length), 8);
    const header = Buffer.from(tar.subarray(at, at + 512));
    const sum = number(148, 8);
    header.fill(" ", 148, 156);
    if (header.reduce((all, byte) => all + byte, 0) !== sum) throw new Error(`a wrong checksum at ${name}`);
    const size = number(124, 12);
    files.push({
      path: prefix === "" ? name : `${prefix}/${name}`,
      type: text(at + 156, 1),
      mode: number(100, 8),
      owner: number(108, 8),
      time: number(136, 12),
      bytes: tar.subarray(at + 512, at + 512 + size),
    });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  const rest = tar.subarray(at);
  if (rest.length !== 1024 || rest.some((byte) => byte !== 0)) throw new Error("it does not end with two empty blocks");
  return files;
}
