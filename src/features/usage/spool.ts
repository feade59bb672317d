import { posix } from "node:path";
import { AppError } from "../../core/error.ts";
import type { Files, FilesToWrite } from "../../core/world.ts";
import { type NewBatch, parseBatch, renderBatch } from "../../registry/usage/usage.ts";
import type { Contexts } from "../../app/app.ts";

/** A name in the spool: a batch that waits, or a file that nobody could read. */
export interface Spooled {
  readonly waiting: readonly string[];
  readonly setAside: readonly string[];
}

const ending = ".json";
const asideEnding = ".bad";
const mostNames = 1_000_000;
const mostBytes = 64 * 1024 * 1024;

/** Where batches of usage wait on disk while the store is away: a file for each, in the order they were made (RV-8). */
export class Spool {
  readonly #files: Files & FilesToWrite;
  readonly #folder: string;

  constructor({ world, places }: Pick<Contexts, "world" | "places">) {
    this.#files = world.files;
    this.#folder = places.spoolFolder;
  }

  async list(): Promise<Spooled> {
    const names = await this.#names();
    return {
      waiting: names.filter((name) => name.endsWith(ending)),
      setAside: names.filter((name) => name.endsWith(asideEnding)),
    };
  }

  async #names(): Promise<string[]> {
    try {
      const { entries } = await this.#files.list(this.#folder, mostNames);
      return entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
    } catch (error) {
      if (error instanceof AppError && error.code === "path.missing") return [];
      throw error;
    }
  }

  /** As a whole or not at all; whoever uses a skill is nobody else's business. */
  async write(batch: NewBatch): Promise<void> {
    await this.#files.makePrivateFolder(this.#folder);
    await this.#files.writePrivate(this.#path(batch.id + ending), Buffer.from(renderBatch(batch)));
  }

  /** `gone`: another process was quicker. `unreadable`: it is no batch, whatever else it is. */
  async load(name: string): Promise<NewBatch | "gone" | "unreadable"> {
    try {
      const bytes = await this.#files.read(this.#path(name), mostBytes);
      const batch = bytes instanceof Uint8Array ? parseBatch(Buffer.from(bytes).toString("utf8")) : undefined;
      return batch !== undefined && batch.id + ending === name ? batch : "unreadable";
    } catch (error) {
      if (error instanceof AppError && error.code === "path.missing") return "gone";
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.#files.remove(this.#path(name));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "path.missing") throw error;
    }
  }

  /** Out of the way of the others, and kept: somebody may still read what is in it. False: it is too large to move. */
  async setAside(name: string): Promise<boolean> {
    const bytes = await this.#files.read(this.#path(name), mostBytes);
    if (!(bytes instanceof Uint8Array)) return false;
    await this.#files.writePrivate(this.#path(name + asideEnding), bytes);
    await this.remove(name);
    return true;
  }

  #path(name: string): string {
    return posix.join(this.#folder, name);
  }
}
