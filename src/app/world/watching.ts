import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";
import type { FolderWatch, Watching } from "../../core/world.ts";

/** A system lets a process watch only so many; Linux counts those of all programs of a person together. */
const usuallyMost = 8_192;

/**
 * Each folder by itself: Node's recursive mode watches every single file on Linux, which takes as long as a walk of its
 * own.
 */
export function createWatching(mostFolders = usuallyMost): Watching {
  return { open: (onChange) => new FolderWatching(onChange, mostFolders) };
}

class FolderWatching implements FolderWatch {
  readonly #onChange: () => void;
  readonly #most: number;
  readonly #watchers = new Map<string, FSWatcher>();
  #isFirst = true;
  #isClosed = false;

  constructor(onChange: () => void, most: number) {
    this.#most = most;
    this.#onChange = () => {
      if (!this.#isClosed) onChange();
    };
  }

  watch(folders: readonly string[]): { readonly unwatched: number; readonly why: string | null } {
    if (this.#isClosed) return { unwatched: folders.length, why: "it is closed" };
    const asked = [...new Set(folders)];
    const wanted = new Set(asked.slice(0, this.#most));
    // First those that go: a folder that was renamed is watched under its new name only when the old one let go of it.
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#forget(folder);
    const fresh = [...wanted].filter((folder) => !this.#watchers.has(folder));
    const { unwatched, why } = this.#add(fresh);
    // What came into a new folder between its listing and this moment was seen by nobody.
    if (fresh.length > unwatched && !this.#isFirst) queueMicrotask(this.#onChange);
    this.#isFirst = false;
    const beyond = asked.length - wanted.size;
    return { unwatched: unwatched + beyond, why: why ?? (beyond > 0 ? `more than ${this.#most} folders` : null) };
  }

  close(): void {
    this.#isClosed = true;
    for (const folder of this.#watchers.keys()) this.#forget(folder);
  }

  #add(folders: readonly string[]): { unwatched: number; why: string | null } {
    let unwatched = 0;
    let why: string | null = null;
    for (const [at, folder] of folders.entries()) {
      const code = this.#open(folder);
      // One that is gone meanwhile has nothing to be seen in.
      if (code === null || code === "ENOENT") continue;
      why ??= reasons[code] ?? `the system said ${code}`;
      // Of these the next one would get no other answer.
      if (code in reasons) return { unwatched: unwatched + folders.length - at, why };
      unwatched++;
    }
    return { unwatched, why };
  }

  /** Null, or the system's word for why not. */
  #open(folder: string): string | null {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#see(folder, name));
      // It is gone, or cannot be seen any more: also a change.
      watcher.on("error", () => this.#lose(folder));
      this.#watchers.set(folder, watcher);
      return null;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : "nothing";
    }
  }

  #see(folder: string, name: string | null): void {
    // Its own name: the folder itself went or was renamed, and another may come to its place. It is watched anew.
    if (name === basename(folder)) this.#lose(folder);
    else this.#onChange();
  }

  #lose(folder: string): void {
    this.#forget(folder);
    this.#onChange();
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the system watches no more folders for this person",
  EMFILE: "the system watches no more folders for this person",
};
