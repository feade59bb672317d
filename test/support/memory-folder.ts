import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

const folder = "/dev/shm";
const roomBytes = 4 * 2 ** 30;

/**
 * The folder that Linux keeps in memory, when it has room and programs may run from it. Tests make thousands of stores, and
 * SQLite flushes every commit to the disk. No test is about a crash of the machine, so none needs that.
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "));
    const [, , type, options = ""] = mount.findLast(([, at]) => at === folder) ?? [];
    const isRunnable = type === "tmpfs" && !options.split(",").includes("noexec");
    return isRunnable && bavail * bsize >= roomBytes ? folder : undefined;
  } catch {
    return undefined;
  }
}
