import { posix } from "node:path";
import { AppError, nullIfMissing, orNull } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { createMutex } from "../../core/async.ts";
import type { Clock, Files, FilesToWrite, Randomness } from "../../core/world.ts";
import {
  type ConversationStore,
  type LoadedConversation,
  type SavedConversation,
  mostConversationBytes,
  parseConversation,
  parseHeader,
  renderConversation,
} from "../../agent/talk/saved.ts";

const idPattern = /^\d{8}-\d{6}-[0-9a-f]{6}$/;
const ending = ".jsonl";
const mostNames = 100_000;
/** Of those that are looked through for the latest. */
const mostLookedAt = 1_000;

/** When it began, in UTC, and something that tells it from others of the same second. */
export function newConversationId(clock: Clock, random: Randomness): string {
  const at = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${at}-${Buffer.from(random.bytes(3)).toString("hex")}`;
}

/** A file for each in a folder of the person's own: nobody else reads what was said (AG-8). */
export function openConversations(files: Files & FilesToWrite, folder: string): ConversationStore {
  return new FolderConversations(files, folder);
}

class FolderConversations implements ConversationStore {
  readonly #files: Files & FilesToWrite;
  readonly #folder: string;
  /** So that of two that are under way the later one stays. */
  readonly #inTurn = createMutex();
  /** As this process last saw the files: one that is another by now was written by another. */
  readonly #seen = new Map<string, string>();

  constructor(files: Files & FilesToWrite, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async save(conversation: SavedConversation): Promise<void> {
    const path = this.#pathOf(conversation.id);
    const bytes = renderConversation(conversation);
    await this.#inTurn(async () => {
      await this.#files.makePrivateFolder(this.#folder);
      if ((await this.#markOf(path)) !== (this.#seen.get(path) ?? null))
        throw new AppError("record.exists", "another session has gone on with this conversation meanwhile");
      await this.#files.writePrivate(path, bytes);
      this.#seen.set(path, (await this.#markOf(path)) ?? "");
    });
  }

  async load(id: string): Promise<LoadedConversation> {
    const path = this.#pathOf(id);
    const mark = await this.#markOf(path);
    const conversation = parseConversation(await this.#read(path, id), path);
    if (mark !== null) this.#seen.set(path, mark);
    // It would be saved as the other one.
    if (conversation.id !== id)
      throw new AppError("disk.failed", `${safeLine(path, 240)}:1 is the conversation ${safeLine(conversation.id)}`);
    return conversation;
  }

  /** Null where there is none. */
  async #markOf(path: string): Promise<string | null> {
    return (await this.#files.stamp(path).catch(nullIfMissing))?.mark ?? null;
  }

  /** By the disk's own time: only as many files are read as it takes to find one of this workspace. */
  async latest(workspace: string): Promise<string | null> {
    const stamped = await Promise.all(
      (await this.#newestIds()).map(async (id) => {
        const stamp = await this.#files.stamp(this.#pathOf(id)).catch(orNull);
        return { id, changedAt: stamp?.changedAt ?? 0 };
      }),
    );
    for (const { id } of stamped.toSorted((a, b) => b.changedAt - a.changedAt)) {
      if ((await this.#workspaceOf(id)) === workspace) return id;
    }
    return null;
  }

  async #newestIds(): Promise<readonly string[]> {
    const listing = await this.#files.list(this.#folder, mostNames).catch(nullIfMissing);
    const ids = (listing?.entries ?? [])
      .filter(({ name, kind }) => kind === "file" && name.endsWith(ending))
      .map(({ name }) => name.slice(0, -ending.length))
      .filter((id) => idPattern.test(id));
    return ids.toReversed().slice(0, mostLookedAt);
  }

  /** Null for one that cannot be read: it is nobody's latest, and the others are still there. */
  async #workspaceOf(id: string): Promise<string | null> {
    const path = this.#pathOf(id);
    try {
      return parseHeader(await this.#read(path, id), path).workspace;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  async #read(path: string, id: string): Promise<Uint8Array> {
    const bytes = await this.#files.read(path, mostConversationBytes).catch(nullIfMissing);
    if (bytes === null) throw missing(id);
    if (bytes instanceof Uint8Array) return bytes;
    throw new AppError("disk.failed", `${safeLine(path, 240)} is too large for a conversation: ${bytes.size} bytes`);
  }

  /** Whoever names a conversation names no path. */
  #pathOf(id: string): string {
    if (!idPattern.test(id)) throw missing(id);
    return posix.join(this.#folder, id + ending);
  }
}

function missing(id: string): AppError {
  return new AppError(
    "record.missing",
    `there is no conversation ${safeLine(id)}; one is named like 20260131-120000-0a1b2c`,
  );
}
