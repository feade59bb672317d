import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const readme = readFileSync("README.md", "utf8");
const bin = resolve("dist/cli.js");

function fenced(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code]) => code ?? "");
}

describe("README", () => {
  test.each(["A worked example", "Without a registry"])("%s prints what it says it prints", (heading) => {
    const [, section = ""] = readme.split(`## ${heading}\n`);
    const [text = ""] = section.split(/^## /m);
    const commands = fenced(text, "sh").join("");
    const printed = fenced(text, "text").join("");
    const room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-readme-")));
    try {
      const script = `exec 2>&1\nnpx() { shift; "${process.execPath}" "${bin}" "$@"; }\n${commands}`;
      const environment = { PATH: process.env["PATH"], HOME: room, USER: "ada" };
      const { stdout } = spawnSync("bash", ["-c", script], { cwd: room, encoding: "utf8", env: environment });
      expect(stdout.replaceAll(room, "/home/ada")).toBe(printed);
    } finally {
      rmSync(room, { recursive: true });
    }
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

describe("documentation", () => {
  const docs = ["docs", "docs/adr", "examples"].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  const pages = [...readdirSync("."), ...docs].filter((path) => path.endsWith(".md"));

  test.each(pages)("%s: every link to a file leads somewhere", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target]) => target ?? "",
    );
    const broken = links.filter((target) => !target.includes("://") && !existsSync(join(dirname(page), target)));
    expect(broken).toEqual([]);
  });
});
