import { fork } from "node:child_process";
import { on } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, afterEach, beforeAll } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Makes plain JavaScript of a TypeScript file of the repository and of all it imports, as the build does, before the
 * tests of a file: what is not exported can so be run in another process. Says where it is.
 */
export function bundleChild(file: string): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "skillward-child-"));
    // Native parts are not bundled.
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    // A server looks for its pages beside itself; here there are none.
    await mkdir(join(folder, "web/assets"), { recursive: true });
    const bundle = await rolldown({
      input: join(repository, file),
      platform: "node",
      external: [/^node:/, "@photostructure/sqlite", "pg-native"],
      transform: { target: "node20" },
      logLevel: "silent",
    });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
    await bundle.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => join(folder, basename(file).replace(/\.ts$/, ".mjs"));
}

/** A process that does as it is told and says how far it is. */
export interface Child {
  tell(word: unknown): void;
  /** What it says next; rejects when it has ended instead. */
  hear(): Promise<unknown>;
  kill(signal: NodeJS.Signals): void;
  /** How it ended: its code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const running = new Set<Child>();

/** Runs a bundle; `order` is in its first argument, as JSON. What it complains of is on our own standard error. */
export function startChild(path: string, order: unknown): Child {
  const child = fork(path, [JSON.stringify(order)], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const words = on(child, "message", { close: ["close"] });
  const started: Child = {
    tell: (word) => void child.send({ word }),
    async hear() {
      const said: IteratorResult<unknown[]> = await words.next();
      if (said.done === true) throw new Error("the process has ended");
      return said.value[0];
    },
    kill: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? "lost"))),
  };
  running.add(started);
  void started.ended.then(() => running.delete(started));
  return started;
}

/** For files that start children: none of them outlives its test. */
export function endChildrenAfterEach(): void {
  afterEach(async () => {
    const left = [...running];
    for (const child of left) child.kill("SIGKILL");
    await Promise.all(left.map(({ ended }) => ended));
  });
}
