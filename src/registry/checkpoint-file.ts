import { AppError } from "../base/error.ts";
import type { Files, FilesToWrite } from "../base/world.ts";
import { type Checkpoint, parseCheckpoint, renderCheckpoint } from "./checkpoint.ts";
import type { Keys } from "./keys.ts";

const mostBytes = 64 * 1024;

export function checkpointPath(folder: string, store: string): string {
  return `${folder}/${store}.json`;
}

/** The file in which the newest checkpoint of a store is kept. */
export class CheckpointFile {
  readonly #files: Files & FilesToWrite;
  readonly #path: string;
  readonly #store: string;
  readonly #keys: Keys;
  #saving: Promise<void> = Promise.resolve();

  constructor(files: Files & FilesToWrite, folder: string, store: string, keys: Keys) {
    this.#files = files;
    this.#path = checkpointPath(folder, store);
    this.#store = store;
    this.#keys = keys;
  }

  /** Before anything else: a crash may have left half of one beside it. */
  async tidy(): Promise<void> {
    await this.#files.tidy(this.#path);
  }

  async load(): Promise<Checkpoint | undefined> {
    try {
      const bytes = await this.#files.read(this.#path, mostBytes);
      const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString("utf8") : "";
      return parseCheckpoint(text, this.#store, this.#keys, this.#path);
    } catch (error) {
      if (error instanceof AppError && error.code === "path.missing") return undefined;
      throw error;
    }
  }

  /** One after the other, in the order they were made. The change that it follows is committed already. */
  save(checkpoint: Checkpoint): Promise<void> {
    return this.#inTurn(async () => {
      // Another process may have written a newer one meanwhile.
      const present = await this.load();
      if (present === undefined || present.audit.seq < checkpoint.audit.seq) await this.#write(checkpoint);
    });
  }

  /** Whatever was there: for a rollback that was accepted. */
  replace(checkpoint: Checkpoint): Promise<void> {
    return this.#inTurn(() => this.#write(checkpoint));
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#saving.then(act).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AppError("disk.failed", `the change was made, but its checkpoint could not be written: ${why}`, {
        cause,
      });
    });
    this.#saving = done.catch(() => {});
    return done;
  }

  async #write(checkpoint: Checkpoint): Promise<void> {
    await this.#files.write(this.#path, Buffer.from(renderCheckpoint(checkpoint, this.#keys)));
  }
}
