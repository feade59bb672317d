/** The interfaces of the outside world. `app/world/world.ts` builds the real ones, `testing/` the others. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Randomness {
  /** Bytes that nobody can predict. */
  bytes(count: number): Uint8Array;
}

export interface Timer {
  /** Keeps the process alive until then. With a signal, it rejects as soon as that is aborted. */
  after(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` again and again until it is stopped; does not keep the process alive by itself. */
  every(milliseconds: number, act: () => void): { stop(): void };
}

/** Milliseconds. What timers of Node can count: beyond it they would fire at once. */
export const longestWait = 2 ** 31 - 1;

/** A thread of its own, for work that would keep everybody else waiting. It answers in the order it is asked. */
export interface Thread {
  /** Rejects when the work fails or the thread ends. */
  ask<Answer>(asked: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** `contract-worker` runs what is not ours, with nothing of this process: no environment, no input, no output (SC-10). */
export type ThreadProgram = "index-worker" | "contract-worker";

export interface Threads {
  /** Undefined where the program for it is not beside this one: the work is then done here in small parts, or not at all. */
  open(program: ThreadProgram): Thread | undefined;
}

/** What a program is started with. It gets an environment of a few plain values, and none of our secrets (AG-7). */
export interface ProcessOptions {
  /** Where it runs. */
  readonly folder: string;
  /** For its standard input; nothing without it. */
  readonly input?: string | undefined;
  readonly milliseconds: number;
  /** Bytes that are kept of each of its outputs; the rest is read and dropped. */
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ProcessEnd {
  /** Null when it was ended. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  /** Whether more came than was kept. */
  readonly isCut: boolean;
  readonly ended: "by itself" | "timeout" | "cancelled";
}

export interface Processes {
  /** One program with its arguments, never a shell; when it ends, so does all that it started. Rejects when it cannot start. */
  run(argv: readonly string[], options: ProcessOptions): Promise<ProcessEnd>;
}

/** Sees when something in folders changes: a name that comes or goes, a file that is written. */
export interface FolderWatch {
  /** Watches exactly these from now on, not what is below them. How many could not be watched, and why the first. */
  watch(folders: readonly string[]): { readonly unwatched: number; readonly why: string | null };
  close(): void;
}

export interface Watching {
  /** `onChange` is told that something changed, not what, and often more than once. It does not keep the process alive. */
  open(onChange: () => void): FolderWatch;
}

/** What one name in a folder stands for. A link is never followed, whatever it points to. */
export type EntryKind = "file" | "folder" | "link" | "special" | "unnameable";

export interface FolderEntry {
  /** The name inside the folder. For `unnameable` (bytes that are not UTF-8) a readable stand-in. */
  readonly name: string;
  readonly kind: EntryKind;
}

export interface Listing {
  /** In byte order of their names. */
  readonly entries: readonly FolderEntry[];
  /** False when the folder has more than was asked for; then which ones are listed is not defined. */
  readonly complete: boolean;
}

/** What can be known of a path without reading it. */
export interface Stamp {
  readonly kind: EntryKind;
  readonly size: number;
  /** Another one after every write, unless that came within the time that the disk's clock cannot tell apart. */
  readonly mark: string;
  /** When it was last changed in any way, in milliseconds by the disk's clock. */
  readonly changedAt: number;
}

/** A regular file that was opened, with its stamp from before it was read. */
export interface StampedFile {
  readonly stamp: Stamp;
  /** Null when there are more than may be read: then not one was. */
  readonly bytes: Uint8Array | null;
}

/** A file that is larger than what may be read: the size that was found, and not one byte. */
export interface TooLarge {
  readonly size: number;
}

/**
 * Reading from disk. Paths are as the caller gives them, joined with `/`. Every call rejects with `AppError`:
 * `path.missing` when nothing is there, `path.wrong-kind` when it is not what was asked for, `disk.failed`
 * otherwise.
 */
export interface Files {
  /** The real path behind one that a person named: here, and only here, links are followed. */
  resolve(path: string): Promise<string>;
  /** What a path stands for. Links count as links. */
  kind(path: string): Promise<EntryKind>;
  /** Links count as links. */
  stamp(path: string): Promise<Stamp>;
  /** At most `max` names of a folder. Rejects for a link to a folder. */
  list(folder: string, max: number): Promise<Listing>;
  /** The whole of a regular file, or its size when that is above `max`. Rejects for a link. */
  read(path: string, max: number): Promise<Uint8Array | TooLarge>;
  /** As `read`, with the stamp of the very file that was opened. */
  readStamped(path: string, max: number): Promise<StampedFile>;
  /** Whether nobody but its owner can read or change it. */
  isPrivate(path: string): Promise<boolean>;
}

/** Writing to disk, apart from reading so that what only reads cannot write. */
export interface FilesToWrite {
  /**
   * Replaces a file as a whole, its folders made as needed: a reader sees the old bytes or the new, never a part. Who may
   * read and run the one that was there may the new one. What is too much to be held at once comes in parts.
   */
  write(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** A new file that only its owner can read, as a whole or not at all; false, and nothing done, when there is one. */
  createPrivate(path: string, bytes: Uint8Array): Promise<boolean>;
  /** As `write`, for a file that only its owner can read. */
  writePrivate(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** A folder that only its owner can enter; nothing happens when it is there. */
  makePrivateFolder(path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Takes away what processes that were killed while they wrote this file left beside it. As far as it can: never fails. */
  tidy(path: string): Promise<void>;
}

/** A file of a folder that is written as a whole. */
export interface FileToPlace {
  /** Inside the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** Whole folders, in steps that each happen or do not. Rejects as `Files` does; no step follows a link at its end. */
export interface Folders {
  /** Whether its owner may run a file. */
  isExecutable(path: string): Promise<boolean>;
  /** A new folder with exactly these files, on the disk when it returns; the folders above are made as needed. */
  make(path: string, files: readonly FileToPlace[]): Promise<void>;
  /** A new folder of a process's own, which nobody else can enter: its real path. Whoever asks for it removes it. */
  makeTemporary(): Promise<string>;
  /** Gives a folder another name on the same disk; never over something that has that name. */
  move(from: string, to: string): Promise<void>;
  /** Takes away whatever is there, with all that is in it; nothing happens when nothing is. */
  remove(path: string): Promise<void>;
}
