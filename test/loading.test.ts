import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { CliHome } from "./cli-home.ts";
import { skillward } from "./cli.ts";

/** The parts of the program that a command loaded, by the names of their files without the hash. */
function loadedBy(args: readonly string[], env: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "skillward-loading-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, err } = skillward(args, { env: { ...env, NODE_V8_COVERAGE: folder } });
  if (code !== 0) throw new Error(err);
  const urls = readdirSync(folder).flatMap((file): string[] => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    return result.map(({ url }) => url);
  });
  const own = urls.filter((url) => url.includes("/dist/") && !url.includes("/node_modules/"));
  return [...new Set(own.map((url) => basename(url, ".js").replace(/-[\w-]{8}$/, "")))].toSorted().join(" ");
}

describe("SV-9: commands start fast, only what a command needs is loaded", () => {
  test("SV-9: --version loads nothing but the version", () => {
    expect(loadedBy(["--version"])).toBe("cli version");
  });

  test("SV-9: validate loads neither a store nor the scanner", () => {
    const parts = "app base cli frame main report rolldown-runtime skill validate version";
    expect(loadedBy(["validate", "examples/skills"])).toBe(parts);
  });

  test("SV-9: a list loads neither the scanner, nor a server, nor a model's client", () => {
    const home = new CliHome();
    onTestFinished(() => home.remove());
    const parts =
      "app base cli commands compose frame ground list main queries registry report reviewed rolldown-runtime routing skill sqlite store-commands term texts version";
    expect(loadedBy(["skill", "list"], { HOME: home.folder })).toBe(parts);
  });
});
