import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { laterRefusal } from "../../../test/support/refusal.ts";
import { compositionKeyFile, loadCompositionKey } from "./composition-key.ts";
import { parseEnvironment } from "./config.ts";
import { createWorld } from "../world/world.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skillward-key-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const world = createWorld();
const load = (set: Record<string, string> = { HOME: home }) => loadCompositionKey(world, parseEnvironment(set));
const keyFile = () => join(home, ".config/skillward/compose.key");

describe("CO-3: the composition key without a store", () => {
  test("CO-3: is made once, of 32 bytes that only its owner can read", async () => {
    const key = await load();
    expect(key).toHaveLength(32);
    expect(lstatSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(await load()).toEqual(key);
    expect(readdirSync(dirname(keyFile()))).toEqual(["compose.key"]);
  });

  test("CO-3: all that make it at the same moment have the same one", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => load()));
    for (const other of others) expect(other).toEqual(first);
  });

  test("CO-3: one that others can read is refused, and so is a link", async () => {
    await load();
    chmodSync(keyFile(), 0o640);
    expect(await laterRefusal(() => load())).toMatch(/^keys\.unusable .*others can read it; remove it/);
    rmSync(keyFile());
    writeFileSync(join(home, "elsewhere"), "x".repeat(32), { mode: 0o600 });
    symlinkSync(join(home, "elsewhere"), keyFile());
    expect(await laterRefusal(() => load())).toMatch(/^keys\.unusable /);
  });

  test.each([0, 31, 33, 5000])("CO-3: one of %i bytes is no key, and is not replaced", async (size) => {
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), new Uint8Array(size), { mode: 0o600 });
    expect(await laterRefusal(() => load())).toMatch(/^keys\.unusable .*does not have 32 bytes; remove it/);
    expect(lstatSync(keyFile()).size).toBe(size);
  });

  test("T44: a relative path never counts, so that no folder one stands in brings its own key", async () => {
    expect(compositionKeyFile(parseEnvironment({ HOME: "/home/ada", XDG_CONFIG_HOME: ".config" }))).toBe(
      "/home/ada/.config/skillward/compose.key",
    );
    expect(compositionKeyFile(parseEnvironment({ HOME: "/home/ada", XDG_CONFIG_HOME: "/xdg" }))).toBe(
      "/xdg/skillward/compose.key",
    );
    for (const set of [{}, { HOME: "." }, { XDG_CONFIG_HOME: "here" }])
      expect(await laterRefusal(() => load(set))).toBe(
        "config.invalid HOME is not set, so there is no place for the composition key; set HOME or XDG_CONFIG_HOME to an absolute path",
      );
  });
});
