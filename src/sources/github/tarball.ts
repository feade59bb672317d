import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { blockSize, Inflated, nameInside, parseTarHeader, type TarHeader, unusable } from "./tarball-bytes.ts";

export interface TarballOptions {
  readonly most: {
    readonly entries: number;
    /** Decompressed, headers included. */
    readonly bytes: number;
  };
  /** How many bytes a file may have to be read; undefined: it is not asked for. */
  readonly wanted: (path: string) => number | undefined;
}

export interface TarballFile {
  /** Inside the repository: without the folder that the archive puts around it. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The wanted files of a gzipped tarball, one after the other as they come, not proven yet (IN-12). Nothing is written
 * anywhere. Regular files only (T24); one that is too large, has an unsafe path (T23) or came before is left out.
 * Fails with `upstream.invalid` for what cannot be read or goes beyond bounds (T7), and with what the stream itself
 * fails with. However it ends, the stream is destroyed.
 */
export function readTarball(stream: Readable, options: TarballOptions): AsyncGenerator<TarballFile, void> {
  const bytes = new Inflated(stream, options.most.bytes);
  const files = filesIn(bytes, options);
  const end = files.return.bind(files);
  // By itself a generator that never ran, or that waits for bytes, would not notice that its reader left.
  files.return = (value) => {
    bytes.destroy();
    return end(value);
  };
  return files;
}

async function* filesIn(bytes: Inflated, { most, wanted }: TarballOptions): AsyncGenerator<TarballFile, void> {
  const seen = new Set<string>();
  try {
    for (let entries = 1; ; entries++) {
      const header = await nextEntry(bytes);
      if (header === undefined) break;
      if (entries > most.entries) throw unusable(`it has more than ${most.entries} entries`);
      const path = header.kind === "file" ? safePath(header.name) : undefined;
      const longest = path === undefined || seen.has(path) ? undefined : wanted(path);
      if (path !== undefined && longest !== undefined) seen.add(path);
      if (path === undefined || longest === undefined || header.size > longest) await bytes.skip(padded(header.size));
      else {
        yield { path, bytes: await bytes.take(header.size) };
        await bytes.skip(padded(header.size) - header.size);
      }
    }
    await bytes.drain();
  } finally {
    bytes.destroy();
  }
}

/** Far more than a path needs. */
const longestHeader = 64 * 1024;

/** The next header that stands for an entry, with the long name that the headers before may have for it. */
async function nextEntry(bytes: Inflated): Promise<TarHeader | undefined> {
  let name: Buffer | undefined;
  for (;;) {
    const header = parseTarHeader(await bytes.take(blockSize));
    if (header === undefined) return undefined;
    if (header.kind === "file" || header.kind === "other") return { ...header, name: name ?? header.name };
    if (header.size > longestHeader) throw unusable("it has a damaged header");
    const inside = await bytes.take(padded(header.size));
    name = nameInside(header.kind, inside.subarray(0, header.size)) ?? name;
  }
}

function padded(size: number): number {
  return Math.ceil(size / blockSize) * blockSize;
}

/** T23: a path that could mean something else somewhere is not repaired, the file is missing then. */
function safePath(name: Buffer): string | undefined {
  if (!isUtf8(name)) return undefined;
  const path = name.toString();
  const segments = path.split("/");
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(path) || segments.some((segment) => /^$|^[A-Za-z]:|[. ]$/.test(segment)))
    return undefined;
  return segments.length > 1 ? segments.slice(1).join("/") : undefined;
}
