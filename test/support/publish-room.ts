import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createWorld } from "../../src/app/world/world.ts";
import { setDigest, sha256 } from "../../src/core/digest.ts";
import { AppError } from "../../src/core/error.ts";
import type { FileToPlace } from "../../src/core/world.ts";
import { settleLeftovers } from "../../src/workspace/leftovers.ts";
import type { WritableDisk } from "../../src/workspace/workspace.ts";
import { type Locked, type LockedSkill, renderLock } from "../../src/workspace/lock.ts";
import { type Placement, placeSkill } from "../../src/workspace/place.ts";
import { verifyWorkspace } from "../../src/workspace/verify.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

export type Contents = Readonly<Record<string, string>>;

const { files, folders, random } = createWorld();
export const disk: WritableDisk = { files, folders, random };

/** A workspace of its own on a real disk. */
export class Room {
  readonly root = mkdtempSync(join(tmpdir(), "skillward-publish-"));

  at(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  skill(...parts: readonly string[]): string {
    return this.at(".agents/skills", ...parts);
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
    chmodSync(this.at(path), mode);
  }

  /** Every file below, with whether it is executable; folders that are empty end in a slash. */
  everything(below = this.root): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(below, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(below.length + 1);
      if (entry.isDirectory()) found[`${name}/`] = "";
      else if (entry.isSymbolicLink()) found[name] = "link";
      else found[name] = `${(statSync(path).mode & 0o100) === 0 ? "" : "x "}${readFileSync(path, "utf8")}`;
    }
    return found;
  }

  lockText(): string | undefined {
    return existsSync(this.at("skillward.lock")) ? readFileSync(this.at("skillward.lock"), "utf8") : undefined;
  }

  async verify() {
    return verifyWorkspace(disk, await openWorkspace(files, this.root));
  }

  async settle(with_: WritableDisk = disk): Promise<void> {
    const { root, lock } = await openWorkspace(files, this.root);
    await settleLeftovers(with_, root, lock);
  }

  place(placement: Placement, with_: WritableDisk = disk): Promise<void> {
    return placeSkill(with_, this.root, placement);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** As it would be locked; what ends in `.sh` is executable. */
export function lockedSkill(contents: Contents, folder = "pdf"): LockedSkill {
  const paths = Object.keys(contents).toSorted();
  const digests = paths.map((path) => ({ path, digest: sha256(Buffer.from(contents[path] ?? "")) }));
  return {
    source: "acme/skills",
    hosts: "github.com",
    path: `skills/${folder}`,
    ref: "heads/main",
    commit: "b".repeat(40),
    repositoryId: 1,
    ownerId: 2,
    tree: "c".repeat(40),
    digest: setDigest(digests),
    files: new Map(digests.map(({ path, digest }) => [path, digest])),
    executable: paths.filter((path) => path.endsWith(".sh")),
    accepted: [],
    proof: { commit: "hashed", reachable: "heads/main" },
  };
}

export function filesToPlace(contents: Contents): FileToPlace[] {
  return Object.entries(contents).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    executable: path.endsWith(".sh"),
  }));
}

export function lockText(skills: Readonly<Record<string, Locked>>): string {
  return renderLock(new Map(Object.entries(skills)));
}

/** What a process that is killed leaves: from its `alive`-th step on nothing happens any more. */
export function killedAfter(alive: number): { readonly disk: WritableDisk } {
  let steps = 0;
  const step = <Args extends readonly unknown[]>(
    act: (...args: Args) => Promise<void>,
    begin?: (...args: Args) => Promise<void>,
  ) => {
    return async (...args: Args): Promise<void> => {
      steps++;
      if (steps <= alive) return act(...args);
      if (steps === alive + 1) await begin?.(...args);
      throw new AppError("disk.failed", "killed");
    };
  };
  // Of a folder that is being written the first file is there.
  const half = (path: string, parts: readonly FileToPlace[]) => folders.make(path, parts.slice(0, 1));
  return {
    disk: {
      random,
      files: { ...files, write: step((path, bytes) => files.write(path, bytes)) },
      folders: {
        ...folders,
        make: step((path, parts) => folders.make(path, parts), half),
        move: step((from, to) => folders.move(from, to)),
        remove: step((path) => folders.remove(path)),
      },
    },
  };
}
