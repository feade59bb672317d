import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { memoryFiles } from "../testing/memory-files.ts";
import { loadConfig, parseConfig } from "./config/config-file.ts";
import { createWorld } from "./world/world.ts";

/** What each of them is, `config-file.test.ts` says. */
const defaults = parseConfig("", "c.yaml").config;

describe("loading", () => {
  const load = (tree: Parameters<typeof memoryFiles>[0], wasNamed = false) =>
    loadConfig(memoryFiles(tree), "/c/config.yaml", wasNamed).catch((error: unknown) => {
      if (error instanceof AppError) return `${error.code} ${error.message}`;
      throw error;
    });

  test("the usual file may be missing, one that was named may not", async () => {
    expect(await load({})).toEqual(defaults);
    expect(await load({}, true)).toBe(
      "config.invalid the configuration cannot be used: there is no file /c/config.yaml; name one that is there",
    );
  });

  test("a good file, named or not", async () => {
    const tree = { "/c/config.yaml": "store: /srv/a.db" };
    expect(await load(tree)).toEqual({ ...defaults, store: "/srv/a.db" });
    expect(await load(tree, true)).toEqual({ ...defaults, store: "/srv/a.db" });
  });

  test("one mistake and nothing is used; each is listed as file:line key: what", async () => {
    expect(await load({ "/c/config.yaml": "store: /srv/a.db\nsync:\n  files: 0\n  second: 1\n" })).toBe(
      `config.invalid the configuration cannot be used: correct the following and try again
/c/config.yaml:3 sync.files: expected a whole number from 1 to 1000000
/c/config.yaml:4 sync.second: not a known key; did you mean \`sync.seconds\`?`,
    );
  });

  test("256 KiB are read, not a byte more", async () => {
    const full = "# ".padEnd(256 * 1024, "x");
    expect(await load({ "/c/config.yaml": full })).toEqual(defaults);
    expect(await load({ "/c/config.yaml": `${full}x` })).toMatch(/^config\.invalid .*262145 bytes; at most 262144/);
  });

  test("bytes that are not UTF-8, a folder in its place", async () => {
    expect(await load({ "/c/config.yaml": Uint8Array.of(0x23, 0xff) })).toMatch(/^config\.invalid .*not valid UTF-8/);
    expect(await load({ "/c/config.yaml/x": "" })).toMatch(/^path\.wrong-kind /);
  });

  test("on a real disk a link of the user's own is followed, and one that leads nowhere is not skipped", async () => {
    const room = mkdtempSync(join(tmpdir(), "skillward-config-"));
    try {
      writeFileSync(join(room, "real.yaml"), "store: /srv/a.db");
      symlinkSync(join(room, "real.yaml"), join(room, "config.yaml"));
      symlinkSync(join(room, "none.yaml"), join(room, "nowhere.yaml"));
      const { files } = createWorld();
      expect((await loadConfig(files, join(room, "config.yaml"), false)).store).toBe("/srv/a.db");
      await expect(loadConfig(files, join(room, "nowhere.yaml"), false)).rejects.toMatchObject({
        code: "path.missing",
      });
      expect(await loadConfig(files, join(room, "absent.yaml"), false)).toEqual(defaults);
    } finally {
      rmSync(room, { recursive: true });
    }
  });
});
