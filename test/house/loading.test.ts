import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { CliHome } from "../support/cli-home.ts";
import { demandBuilt, skillward, surroundings } from "../support/cli.ts";

/** The parts of the program that a command loaded, by the names of their files without the hash. */
function loadedBy(args: readonly string[], env: Record<string, string> = {}): string {
  const folder = newFolder();
  const { code, err } = skillward(args, { env: { ...env, NODE_V8_COVERAGE: folder } });
  if (code !== 0) throw new Error(err);
  return partsIn(folder);
}

/** The same of a server that has started and was stopped. */
async function loadedByServer(home: CliHome): Promise<string> {
  const folder = newFolder();
  const env = { HOME: home.folder, NODE_V8_COVERAGE: folder };
  const server = spawn(process.execPath, [demandBuilt(), "serve", "--port", "0"], surroundings({ env }));
  server.stdout.once("data", () => server.kill("SIGTERM"));
  const [code, err] = await Promise.all([once(server, "close"), text(server.stderr)]);
  if (code[0] !== 0) throw new Error(err);
  return partsIn(folder);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillward-loading-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function partsIn(folder: string): string {
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
    const parts = "app cli core frame main render-report report rolldown-runtime skill validate version world";
    expect(loadedBy(["validate", "examples/skills"])).toBe(parts);
  });

  test.each([
    ["skill", "list"],
    ["source", "list"],
  ])("SV-9: %s %s loads neither the scanner, nor routing, nor a server, nor a model's client", (...list) => {
    const home = new CliHome();
    onTestFinished(() => home.remove());
    const parts =
      "app choices cli compose core echo flow frame ground lists main queries report reviewed rolldown-runtime skill sqlite store-commands version world";
    expect(loadedBy(list, { HOME: home.folder })).toBe(parts);
  });

  test("SV-9: routing in a folder loads neither a store, nor the scanner, nor a model's client", () => {
    const parts =
      "app choices cli compose core echo frame ground main pool pool-routing report rolldown-runtime routing skill store-commands texts typed-pool version world";
    expect(loadedBy(["route", "--skills", "examples/skills", "translate a catalogue"])).toBe(parts);
  });

  test("SV-9, SV-11: a server loads what OpenID Connect takes only where people sign in by it", async () => {
    const home = new CliHome();
    onTestFinished(() => home.remove());
    expect(await loadedByServer(home)).not.toMatch(/\boidc\b/);
    home.configure(`serve:
  public-url: https://skills.example.org
sign-in:
  oidc:
    issuer: https://id.example.org
    client-id: skillward
`);
    expect(await loadedByServer(home)).toMatch(/\boidc\b/);
  });
});
