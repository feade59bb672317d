import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { routes } from "../../src/server/routes.ts";
import { statuses } from "../../src/features/http/statuses.ts";
import { openApiRoom } from "../support/api-room.ts";
import { sectionOf, shownAs, stepsOf, Terminal } from "../support/page.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const page = readFileSync("docs/api.md", "utf8");

const skill = `---
name: weekly-report
description: Writes the weekly report. Use when a status report is due.
---
Collect what was merged since last Monday and write five lines about it.
`;

describe("docs/api.md", () => {
  test("SV-2, RV-5: each command does what the page says, and prints what it shows", async () => {
    const room = await openApiRoom();
    onTestFinished(() => room.close());
    room.folder.write("skills/weekly-report/SKILL.md", skill);
    await addFolder(room.app.sync, allow(ada), room.folder.skills, { id: "team" });
    await runSync(room.app.sync, allow(ada), "team");
    const terminal = new Terminal(room.folder.root, { KEY: room.keyOf("admin") });
    onTestFinished(() => terminal.close());
    let printed = "";
    for (const { kind, text } of stepsOf(sectionOf(page, "A review, with curl"))) {
      if (kind === "sh")
        printed = await terminal.type(separate(text).replaceAll("127.0.0.1:8787", `127.0.0.1:${room.port}`));
      else expect(shownAs(printed, text)).toBe(text);
    }
  });

  test("SV-2: has the true status of every failure it names", () => {
    const rows = [...sectionOf(page, "When something fails").matchAll(/^\| (\d+) \| `([\w.-]+)`/gm)];
    const said = rows.map(([, status, code = ""]) => [code, Number(status)]);
    const known: Readonly<Record<string, number>> = statuses;
    expect(said.length).toBeGreaterThan(10);
    expect(said).toEqual(said.map(([code = ""]) => [code, known[code]]));
  });

  test("SV-2, T39: has every route of the API, with what it takes", async () => {
    const room = await openApiRoom();
    onTestFinished(() => room.close());
    // oxlint-disable-next-line typescript/no-explicit-any
    const paths: any = room.document.paths;
    const all = [...routes].filter(([route]) => route.includes(" /api/"));
    const tables = groups.map(([title, parts]) => {
      const own = all.filter(([route]) => parts.includes(partOf(route)));
      const rows = own.map(([route, access]) => {
        const [method = "", pattern = ""] = route.split(" ");
        const path = pattern.replaceAll(/:(\w+)/g, "{$1}");
        return `| \`${method} ${path}\` | ${access} | ${paths[path][method.toLowerCase()].summary} |\n`;
      });
      return `\n### ${title}\n\n| route | takes | |\n|---|---|---|\n${rows.join("")}`;
    });
    expect(all.filter(([route]) => !groups.some(([, parts]) => parts.includes(partOf(route))))).toEqual([]);
    const [before = ""] = page.split("\n### ");
    await expect(`${before}${tables.join("")}`).toMatchFileSnapshot("../../docs/api.md");
  });
});

/** Answers end without a line end; the page shows each on its own. */
function separate(block: string): string {
  return block.replaceAll(/^curl (?:.*\\\n)*.*$/gm, "$&; echo");
}

function partOf(route: string): string {
  return route.split("/")[2] ?? "";
}

const groups: readonly (readonly [title: string, parts: readonly string[]])[] = [
  ["Where skills come from", ["sources", "sync"]],
  ["Reviewing", ["review"]],
  ["Skills", ["skills", "blocks", "triggers", "published"]],
  ["What requests are answered with", ["providers", "configurations", "tasks"]],
  ["Asking", ["complete", "chat", "translate", "embed", "route", "compose", "scopes"]],
  ["What became of it", ["overview", "injections", "usage", "evaluations", "audit", "where"]],
  ["People", ["session", "first", "users", "keys"]],
  ["The server", ["events", "doctor", "demonstration", "openapi.json"]],
];
