import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderCycles, violations } from "./layers.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function sources(): Map<string, string> {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const paths = names.filter((name) => name.endsWith(".ts")).map((name) => `src/${name.replaceAll("\\", "/")}`);
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function found(path: string, source: string): string[] {
  return violations(new Map([[path, source]]));
}

type Seed = [what: string, path: string, source: string];

describe("the tree", () => {
  it("keeps the layers: imports point left, the world is reached through core", () => {
    const files = sources();
    expect(files.size).toBeGreaterThan(0);
    expect(violations(files)).toEqual([]);
  });
});

describe("the pages of the web", () => {
  const pages = readdirSync(join(root, "web"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(?!\.contract).*\.tsx?$/.test(name),
  );

  it.each(pages)("are a client of the API and nothing else: %s", (page) => {
    const text = readFileSync(join(root, "web", page), "utf8");
    const imports = [...text.matchAll(/(?:^import (type )?[^;]*?from |\bimport\()"([^"]+)"/gm)];
    for (const [, isType, name = ""] of imports) {
      // What the API says is known by its types; none of the server's code is in the pages.
      if (name === "#contract") expect(isType).toBe("type ");
      else if (name.startsWith(".")) expect(join("web", dirname(page), name)).toMatch(/^web\//);
      else expect(name).toMatch(/^(?:preact(?:\/hooks)?|@preact\/signals|markdown-it)$/);
    }
  });
});

describe("imports point left", () => {
  it.each<Seed>([
    ["backward", "src/core/text.ts", `import { get } from "../net/get.ts";`],
    ["backward across the house", "src/scan/scan.ts", `import { app } from "../app/app.ts";`],
    ["backward, for effect", "src/core/text.ts", `import "../net/get.ts";`],
    ["backward, dynamic", "src/core/text.ts", `const net = await import("../net/get.ts");`],
    ["backward, dynamic in a template", "src/core/text.ts", "const net = await import(`../net/get.ts`);"],
    ["backward, type-only", "src/core/text.ts", `import type { Get } from "../net/get.ts";`],
    ["backward, one type of several", "src/core/text.ts", `import { type Get } from "../net/get.ts";`],
    ["backward, in a type", "src/core/text.ts", `type Get = import("../net/get.ts").Get;`],
    ["backward, re-export", "src/core/text.ts", `export { get } from "../net/get.ts";`],
    ["backward, re-export of everything", "src/core/text.ts", `export * from "../net/get.ts";`],
    ["backward, re-export of a type", "src/core/text.ts", `export type { Get } from "../net/get.ts";`],
    ["testing from a room", "src/server/server.ts", `import { clock } from "../testing/clock.ts";`],
    ["index.ts from a room", "src/app/app.ts", `import { parse } from "../index.ts";`],
    ["another entry from a room", "src/app/app.ts", `import { parse } from "../skill.ts";`],
    ["our own package by name", "src/app/app.ts", `import { parse } from "skillward/skill";`],
    ["a test, from a source", "src/core/text.ts", `import { cases } from "./text.test.ts";`],
    ["a test, from a test", "src/core/ids.test.ts", `import { cases } from "./text.test.ts";`],
    ["backward, from a test", "src/core/text.test.ts", `import { app } from "../app/app.ts";`],
    ["code outside src", "src/core/text.ts", `import { violations } from "../../test/layers.ts";`],
  ])("refuses %s", (_what, path, source) => {
    expect(found(path, source)).toEqual([expect.stringMatching(/^src\/\S+:1 imports \S+: .+; .+/)]);
  });

  it.each<Seed>([
    ["left", "src/net/get.ts", `import { safe } from "../core/text.ts";`],
    ["far left", "src/cli/bin.ts", `export * from "../core/text.ts";`],
    ["a neighbour in the room", "src/core/text.ts", `import { limits } from "./limits.ts";`],
    ["npm packages", "src/skill/yaml.ts", `import { load } from "js-yaml";`],
    ["data outside src", "src/core/version.ts", `import data from "../../package.json" with { type: "json" };`],
    ["anything from index.ts", "src/index.ts", `export { app } from "./app/app.ts"; export * from "./skill.ts";`],
    ["anything from testing", "src/testing/testing.ts", `import { app } from "../app/app.ts";`],
    ["testing from a test", "src/core/text.test.ts", `import { clock } from "../testing/clock.ts";`],
  ])("allows %s", (_what, path, source) => {
    expect(found(path, source)).toEqual([]);
  });

  it("refuses a folder that is not on the map", () => {
    expect(found("src/helpers/text.ts", "")).toEqual([expect.stringContaining("helpers, which is no room")]);
  });

  it.each<Seed>([
    ["routing -> compose", "src/routing/shelf.ts", `import { compose } from "../compose/compose.ts";`],
    ["compose -> scope", "src/compose/compose.ts", `import { scope } from "../scope/scope.ts";`],
    ["scope -> routing, type-only", "src/scope/scope.ts", `import type { Route } from "../routing/shelf.ts";`],
    ["terminal -> server", "src/terminal/keys.ts", `import { server } from "../server/server.ts";`],
    ["sources -> registry", "src/sources/source.ts", `import { registry } from "../registry/registry.ts";`],
    ["a feature -> the server", "src/features/sources/http.ts", `import { send } from "../../server/send.ts";`],
    ["a feature -> the command line", "src/features/sources/cli.ts", `import { main } from "../../cli/main.ts";`],
  ])("refuses %s", (_what, path, source) => {
    expect(found(path, source)).toEqual([expect.stringMatching(/:1 imports .*; move/)]);
  });
});

describe("folders do not import each other in a circle", () => {
  const cycles = (...seeds: readonly (readonly [path: string, source: string])[]) => folderCycles(new Map(seeds));
  const one = ["src/registry/a/a.ts", `import "../b/b.ts";`] as const;

  it("in the tree", () => {
    expect(folderCycles(sources())).toEqual([]);
  });

  it("finds a circle of two and of three, also where only types are imported", () => {
    expect(cycles(one, ["src/registry/b/b.ts", `import type { A } from "../a/a.ts";`])).toEqual([
      ["src/registry/a", "src/registry/b"],
    ]);
    const three = cycles(
      one,
      ["src/registry/b/b.ts", `import "../c/c.ts";`],
      ["src/registry/c/c.ts", `await import("../a/a.ts");`],
    );
    expect(three).toEqual([["src/registry/a", "src/registry/b", "src/registry/c"]]);
  });

  it("lets a folder and one inside of it know each other", () => {
    const [inside, loose] = ["src/registry/b/b.ts", "src/registry/b.ts"];
    expect(cycles(one, [inside, `import "../b.ts";`], [loose, `import "./b/b.ts";`])).toEqual([]);
  });
});

describe("the world is reached only through core", () => {
  it.each<[reach: string, source: string]>([
    ["disk", `import { readFile } from "node:fs/promises";`],
    ["disk", `import fs from "fs";`],
    ["disk", `import type { Stats } from "node:fs";`],
    ["disk", `const { readFile } = await import("node:fs/promises");`],
    ["disk", `export * from "node:fs";`],
    ["network", `import { connect } from "node:net";`],
    ["network", `import { request } from "node:https";`],
    ["listening", `import { createServer } from "node:http";`],
    ["network", `import { request } from "node:http";`],
    ["network", `import http from "node:http";\nhttp.get("http://example.org");`],
    ["network", `import { lookup } from "node:dns/promises";`],
    ["network", `import { Agent } from "undici";`],
    ["network", `await fetch("https://example.org");`],
    ["network", `await globalThis.fetch("https://example.org");`],
    ["network", `const transport = { get: fetch };`],
    ["network", `function get(fetch: Fetch) { return fetch(); }\nconst other = () => fetch();`],
    ["network", `declare const fetch: Fetch;\nconst get = () => fetch();`],
    ["PostgreSQL", `import pg from "pg";`],
    ["PostgreSQL", `import type { ClientBase } from "pg";`],
    ["PostgreSQL", `const { default: pg } = await import("pg");`],
    ["PostgreSQL", `import Pool from "pg-pool";`],
    ["SQLite", `import { open } from "@photostructure/sqlite";`],
    ["SQLite", `import { DatabaseSync } from "node:sqlite";`],
    ["processes", `import { spawn } from "node:child_process";`],
    ["processes", `import { Worker } from "node:worker_threads";`],
    ["code loading", `const load = (name: string) => import(name);`],
    ["code loading", `const run = new Function("return 1");`],
    ["code loading", `import { createRequire } from "node:module";`],
    ["clock", `const at = Date.now();`],
    ["clock", `const now = Date.now;`],
    ["clock", `const { now } = Date;`],
    ["clock", `const at = new Date();`],
    ["clock", `const at = new Date;`],
    ["clock", `const at = Date();`],
    ["clock", `const at = performance.now();`],
    ["clock", `setTimeout(() => undefined, 10);`],
    ["clock", `import { setTimeout as sleep } from "node:timers/promises";`],
    ["clock", `const signal = AbortSignal.timeout(10);`],
    ["randomness", `const dice = Math.random();`],
    ["randomness", `const id = crypto.randomUUID();`],
    ["randomness", `import { randomBytes as bytes } from "node:crypto";`],
    ["randomness", `export { randomUUID } from "crypto";`],
    ["randomness", `import * as c from "node:crypto";\nconst id = c.randomUUID();`],
    ["randomness", `const c = await import("node:crypto");\nconst id = c.randomUUID();`],
    ["randomness", `const id = (await import("node:crypto")).randomUUID();`],
    ["environment", `const home = process.env.HOME;`],
    ["environment", `const home = process?.["env"]?.HOME;`],
    ["environment", `const { env } = process;`],
    ["environment", `import { env } from "node:process";`],
    ["environment", `import host from "node:process";\nconst home = host.env.HOME;`],
    ["environment", `const home = globalThis.process.env.HOME;`],
    ["printing", `console.log("found");`],
    ["printing", `const log = console;`],
    ["printing", `process.stdout.write("found");`],
    ["printing", `process.stderr.write("found");`],
    ["exiting", `process.exit(1);`],
    ["exiting", `process.exitCode = 1;`],
    ["exiting", `process.abort();`],
    ["signals", `process.kill(1);`],
    ["machine", `const host = process;`],
    ["machine", `const value = process[name];`],
    ["machine", `const folder = process.cwd();`],
    ["machine", `const value = globalThis[name];`],
    ["machine", `import { cpus } from "node:os";`],
  ])("refuses %s in a room: %s", (reach, source) => {
    const line = source.split("\n").length;
    const message = new RegExp(`^src/scan/scan\\.ts:${line} uses .+ \\(${reach}, allowed in: .+\\): .+`);
    expect(found("src/scan/scan.ts", source)).toContainEqual(expect.stringMatching(message));
  });

  it.each<Seed>([
    ["disk in net", "src/net/get.ts", `import { readFile } from "node:fs/promises";`],
    ["the clock in a door", "src/server/http/http.ts", "const at = Date.now();"],
    ["the environment in app/world", "src/app/world/world.ts", "const home = process.env.HOME;"],
    ["the environment in the cli", "src/cli/main.ts", "const home = process.env.HOME;"],
    ["printing in the http door", "src/server/http/http.ts", `console.error("late");`],
    ["exiting in the terminal", "src/terminal/terminal.ts", "process.exit();"],
    ["PostgreSQL in the store itself", "src/store/store.ts", `import pg from "pg";`],
    ["PostgreSQL beside SQLite", "src/store/sqlite/open.ts", `import pg from "pg";`],
    ["PostgreSQL in net", "src/net/get.ts", `import pg from "pg";`],
    ["PostgreSQL in app/world", "src/app/world/world.ts", `import pg from "pg";`],
    ["SQLite beside PostgreSQL", "src/store/postgres/pool.ts", `import { open } from "@photostructure/sqlite";`],
    ["SQLite in app/world", "src/app/world/world.ts", `import { DatabaseSync } from "node:sqlite";`],
    ["a connection beside the driver", "src/store/postgres/pool.ts", `import { connect } from "node:net";`],
    ["a connection in app/world", "src/app/world/world.ts", `import { connect } from "node:tls";`],
    ["fetching in app/world", "src/app/world/world.ts", `await fetch("https://example.org");`],
    ["asking in app/world", "src/app/world/world.ts", `import { request } from "node:https";`],
    ["resolving in app/world", "src/app/world/world.ts", `import { lookup } from "node:dns/promises";`],
    ["listening in app/world", "src/app/world/world.ts", `import { createServer } from "node:http";`],
    ["a connection in ingest", "src/sources/github/github.ts", `import { request } from "undici";`],
    ["listening in net", "src/net/get.ts", `import { createServer } from "node:http";`],
    ["listening in a door", "src/server/http/http.ts", `import { createServer } from "node:http";`],
    ["asking where it listens", "src/server/server.ts", `import { request } from "node:http";`],
    ["asking where it listens", "src/server/server.ts", `import * as http from "node:http"; new http.Agent();`],
    ["fetching where it listens", "src/server/server.ts", `await fetch("http://example.org");`],
    ["disk in an entry", "src/index.ts", `export { readFile } from "node:fs/promises";`],
    ["the clock in testing", "src/testing/clock.ts", "const at = Date.now();"],
  ])("refuses %s", (_what, path, source) => {
    expect(found(path, source)).not.toEqual([]);
  });

  it.each<Seed>([
    [
      "the machine in app/world",
      "src/app/world/world.ts",
      `import fs from "node:fs"; use(Date.now() + Math.random());`,
    ],
    ["listening in serve/server.ts", "src/server/server.ts", `import { createServer } from "node:http";`],
    ["network modules in net", "src/net/get.ts", `import { Agent } from "undici"; import dns from "node:dns";`],
    ["SQLite in its store", "src/store/sqlite/open.ts", `import { open } from "@photostructure/sqlite";`],
    ["PostgreSQL in its store", "src/store/postgres/pool.ts", `import pg from "pg";`],
    ["real node modules in testing", "src/testing/github.ts", `import { createServer } from "node:http";`],
    [
      "the environment in app/config.ts",
      "src/app/config/config.ts",
      "const { env } = process; const a = process.env.A;",
    ],
    ["printing in the terminal", "src/terminal/terminal.ts", `process.stdout.write("ok");`],
    ["printing and exiting in the cli", "src/cli/main.ts", "console.log(process.argv); process.exitCode = 1;"],
    ["the world in a test", "src/core/text.test.ts", `import fs from "node:fs"; console.log(Date.now(), fetch);`],
    ["pure modules of Node", "src/core/digest.ts", `import { createHash } from "node:crypto"; import "node:path";`],
    ["a date with arguments", "src/core/text.ts", "const at = new Date(clock.now());"],
    ["a parameter that hides a global", "src/net/get.ts", "const get = (process: Host) => process.env;"],
    ["an import that hides a global", "src/core/text.ts", `import { fetch } from "./fetch.ts"; fetch();`],
    ["a pattern that hides a global", "src/core/text.ts", "function f({ a: [console] }: A) { console.log(); }"],
    ["members, keys and exported names", "src/core/text.ts", "world.fetch({ console: 1 }); export { a as fetch };"],
    ["names in types", "src/core/text.ts", "interface Door { fetch: typeof fetch } let a: typeof process.env;"],
    ["names in strings and comments", "src/core/text.ts", `// process.env\nconst a = "import 'node:fs'";`],
  ])("allows %s", (_what, path, source) => {
    expect(found(path, source)).toEqual([]);
  });
});

describe("a violation", () => {
  it("names the file, the line, what is wrong and what to do", () => {
    const source = `// 🙂\nimport { get } from "../net/get.ts";\n\nexport const at = Math.random();\n`;
    expect(found("src/core/text.ts", source)).toEqual([
      "src/core/text.ts:2 imports src/net/get.ts: imports point left, net stands to the right of core; " +
        "move what is shared to the left, or declare an interface here and implement it there",
      "src/core/text.ts:4 uses Math.random (randomness, allowed in: src/app/world/world.ts): take the randomness from core",
    ]);
  });

  it("is reported for a file that cannot be read", () => {
    expect(found("src/core/text.ts", "const = 1;")).toEqual([expect.stringContaining("src/core/text.ts:1 cannot be")]);
  });
});
