import { posix } from "node:path";
import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError, type ErrorCode } from "../../core/error.ts";
import type { Files, FilesToWrite, FolderEntry } from "../../core/world.ts";

type FindBlobs = (digests: readonly Digest[]) => Promise<ReadonlyMap<Digest, Uint8Array>>;

const usualBytes = 256 * 2 ** 20;
const mostNames = 1_000_000;
/** A digest, or what a write that came to no end has left of it. All else in the folder is somebody else's. */
const ownName = /^[0-9a-f]{64}(?:\.[\w-]+\.tmp)?$/;
/** So many are asked for at a time. */
const batch = 64;

/**
 * Files of skills on this machine's own disk, each under the digest of its bytes, for when the store is away (SV-7).
 * What is read from here is hashed on the very buffer that is handed on (invariant 1): a file that is not what its name
 * says is taken away, and nobody is given it. Nothing in here says what may be used.
 */
export class BodyCache {
  readonly #files: Files & FilesToWrite;
  readonly #folder: string;
  readonly #mostBytes: number;
  /** Those that this process has seen whole, and how large they are. */
  readonly #held = new Map<Digest, number>();
  #bytes = 0;

  constructor(files: Files & FilesToWrite, folder: string, mostBytes = usualBytes) {
    this.#files = files;
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** Those that are here. */
  async find(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, Uint8Array>> {
    const found = new Map<Digest, Uint8Array>();
    for (const digest of new Set(digests)) {
      const bytes = await this.#read(digest);
      if (bytes !== undefined) found.set(digest, bytes);
    }
    return found;
  }

  /**
   * Brings here what is wanted, in this order as far as there is room, and takes away what was. How many are still
   * missing. May be ended between two of them.
   */
  async fill(wanted: readonly Digest[], findBlobs: FindBlobs, signal: AbortSignal): Promise<number> {
    await this.#files.makePrivateFolder(this.#folder);
    const folders = await this.#removeOthers(new Set(wanted));
    const possible = wanted.filter((digest) => !folders.has(digest));
    for (const digest of this.#missing(possible)) if (!signal.aborted) await this.#read(digest);
    for (let left = this.#missing(possible); left.length > 0 && !signal.aborted; left = left.slice(batch)) {
      const asked = left.slice(0, batch);
      const blobs = await findBlobs(asked);
      for (const digest of asked) {
        const bytes = blobs.get(digest);
        if (bytes !== undefined && !(await this.#keep(digest, bytes))) return this.#missing(wanted).length;
      }
    }
    return this.#missing(wanted).length;
  }

  #missing(wanted: readonly Digest[]): readonly Digest[] {
    return wanted.filter((digest) => !this.#held.has(digest));
  }

  /** False: there is no more room. */
  async #keep(digest: Digest, bytes: Uint8Array): Promise<boolean> {
    // A store whose bytes were changed by hand spoils nothing here.
    if (sha256(bytes) !== digest) return true;
    if (this.#bytes + bytes.length > this.#mostBytes) return false;
    await this.#files.writePrivate(this.#path(digest), bytes);
    this.#hold(digest, bytes.length);
    return true;
  }

  async #read(digest: Digest): Promise<Uint8Array | undefined> {
    const bytes = await this.#files.read(this.#path(digest), this.#mostBytes).catch(orWhyNot);
    if (bytes instanceof Uint8Array && sha256(bytes) === digest) {
      this.#hold(digest, bytes.length);
      return bytes;
    }
    if (bytes === "path.missing") this.#hold(digest, undefined);
    else await this.#remove(digest);
    return undefined;
  }

  /** Gives back in whose place there is a folder: somebody made it, and a file cannot be there. */
  async #removeOthers(wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { entries } = await this.#files.list(this.#folder, mostNames);
    const own = entries.filter(({ name }) => ownName.test(name));
    for (const entry of own) if (!wanted.has(entry.name) && !isFolder(entry)) await this.#remove(entry.name);
    return new Set(own.filter(isFolder).map(({ name }) => name));
  }

  async #remove(name: string): Promise<void> {
    this.#hold(name, undefined);
    await this.#files.remove(this.#path(name)).catch(orWhyNot);
  }

  #hold(digest: Digest, size: number | undefined): void {
    this.#bytes += (size ?? 0) - (this.#held.get(digest) ?? 0);
    if (size === undefined) this.#held.delete(digest);
    else this.#held.set(digest, size);
  }

  #path(name: string): string {
    return posix.join(this.#folder, name);
  }
}

function isFolder({ kind }: FolderEntry): boolean {
  return kind === "folder";
}

function orWhyNot(error: unknown): ErrorCode {
  if (error instanceof AppError) return error.code;
  throw error;
}
