import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { chmod, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real disk that is small enough to be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves this many bytes free. */
  fill(left?: number): Promise<void>;
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Undefined where this process may not mount one. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "skillward-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]);
  if (status !== 0) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  await chmod(folder, 0o777);
  const filler = join(folder, "filler");
  return {
    folder,
    async fill(left = 0) {
      const { bavail, bsize } = statfsSync(folder);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    async empty() {
      // A process that another thread starts holds the file until it runs: only what was cut off is free at once.
      await truncate(filler);
      await rm(filler);
    },
    async remove() {
      spawnSync("umount", ["-l", folder]);
      await rm(folder, { recursive: true });
    },
  };
}
