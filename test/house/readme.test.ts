import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fenced, sectionOf, shownAs, stepsOf, Terminal } from "../support/page.ts";

const readme = readFileSync("README.md", "utf8");

function emptyRoom(): string {
  const room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-readme-")));
  onTestFinished(() => rmSync(room, { recursive: true }));
  return room;
}

function terminalIn(room: string, env: Readonly<Record<string, string>> = {}): Terminal {
  const terminal = new Terminal(room, env);
  onTestFinished(() => terminal.close());
  return terminal;
}

describe("README", () => {
  test.each(["A worked example", "Without a registry"])("%s prints what it says it prints", async (heading) => {
    const section = sectionOf(readme, heading);
    const room = emptyRoom();
    const printed = await terminalIn(room).type(fenced(section, "sh").join(""));
    expect(printed.replaceAll(room, "/home/ada")).toBe(fenced(section, "text").join(""));
  });

  test("what the examples make in a clone is none of git's, nor of the checks'", () => {
    const made = [
      ...fenced(readme, "sh")
        .join("")
        .matchAll(/^mkdir -p ([^/\s]+)/gm),
    ].map(([, folder]) => `${folder}/`);
    expect(made.length).toBeGreaterThan(2);
    const ignored = readFileSync(".gitignore", "utf8").split("\n");
    expect(made.filter((folder) => !ignored.includes(folder))).toEqual([]);
  });

  test("CO-18: the first minute prints what it says it prints, and the line in it works", async () => {
    const [start = "", answer = ""] = fenced(sectionOf(readme, "The first minute"), "text");
    const room = emptyRoom();
    const server = terminalIn(room, { SKILLWARD_DATA: join(room, "data") });
    server.begin(`exec "${process.execPath}" "${resolve("scripts/start.mjs")}" --port 0`);
    const printed = `${await server.until("\ncurl ")}${await server.until("\n")}`;
    const [, port = ""] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
    expect(shownAs(printed.replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8787"), start)).toBe(start);

    const [line = ""] = /^curl .*/m.exec(printed) ?? [];
    expect(shownAs(`${await terminalIn(room).type(line)}\n`, answer)).toBe(answer);
    expect(await server.interrupt()).toContain("Stopping: ");
  });

  test("names the two commands", () => {
    expect(readme).toContain("npm ci && npm start");
    expect(readme).toContain("npm ci && npm test");
  });

  test(".ci/run calls the test command and nothing else", () => {
    const lines = readFileSync(".ci/run", "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines).toEqual(["set -euo pipefail", "npm ci && npm test"]);
  });
});

test("CO-17: the programs of docs/library.md print what it says they print", async () => {
  const room = emptyRoom();
  mkdirSync(join(room, "node_modules"));
  symlinkSync(resolve("."), join(room, "node_modules/skillward"));
  symlinkSync(resolve("node_modules/openai"), join(room, "node_modules/openai"));
  const terminal = terminalIn(room);
  const page = readFileSync("docs/library.md", "utf8");
  const steps = stepsOf(page);
  const printed: string[] = [];
  for (const [at, { kind, text }] of steps.entries()) {
    if (kind === "js") writeFileSync(join(room, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? ""), text);
    const shown = steps[at + 1]?.kind === "text" ? steps[at + 1]?.text : "";
    if (kind === "sh") printed.push(shownAs(await terminal.type(text), shown ?? ""));
  }
  expect(printed.filter((text) => text !== "")).toEqual(fenced(page, "text"));
});

describe("documentation", () => {
  const docs = ["docs", "docs/adr", "docs/flows", "examples"].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  const pages = [...readdirSync("."), ...docs].filter((path) => path.endsWith(".md"));

  test.each(pages)("%s: every link leads to a file, and to a heading in it", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
    const broken = links.filter((target) => !target.includes("://") && !isThere(page, target));
    expect(broken).toEqual([]);
  });

  test("docs/README.md: leads to every page of documentation", () => {
    const index = readFileSync("docs/README.md", "utf8");
    const linked = new Set([...index.matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = ""]) => join("docs", target)));
    const others = pages.filter((page) => dirname(page) === "docs" && page !== "docs/README.md");
    expect([...others, "docs/adr/README.md"].filter((page) => !linked.has(page))).toEqual([]);
  });

  test.each(["ARCHITECTURE.md", "docs/invariants.md", "docs/security.md"])(
    "%s: every test that it names is there",
    (page) => {
      const there = new Set(readdirSync("src", { recursive: true }).map((path) => basename(String(path))));
      for (const name of readdirSync("test", { recursive: true, encoding: "utf8" })) there.add(basename(name));
      const named = [...readFileSync(page, "utf8").matchAll(/`([\w.-]+\.test\.ts)`/g)].map(([, name]) => name ?? "");
      expect(named.filter((name) => !there.has(name))).toEqual([]);
    },
  );
});

function isThere(page: string, target: string): boolean {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  return heading === undefined || headingsOf(readFileSync(file, "utf8")).includes(heading);
}

/** As GitHub names them in links. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}
