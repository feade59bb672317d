import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chat } from "../../src/cli/rows.ts";
import { usualAgentLimits } from "../../src/agent/agent-host.ts";
import { createCommands } from "../../src/agent/commands/registry.ts";
import { createAgentSkills } from "../../src/agent/skills/agent-skills.ts";
import { fenced, sectionOf, shownAs, type Step, Terminal } from "../support/page.ts";
import { Pty } from "../support/pty.ts";
import { walkPage } from "../support/walk.ts";

const page = readFileSync("docs/agent.md", "utf8");
const readme = readFileSync("README.md", "utf8");

// `-u` writes what is printed now. Read the text beside it again.
test("AG-1 to AG-11: each command of docs/agent.md prints what it shows, and the session is a real one", async () => {
  const [session = "", question = ""] = fenced(page, "console");
  const replayed = await replay(session);
  const walked = await walkPage(page, {
    prepare: `mkdir skillward && cp -r "${resolve("eval")}" "${resolve("examples")}" skillward\n`,
    isTaken,
  });
  const again = walked
    .replace(consoleBlock(session), () => consoleBlock(shownAs(replayed.session, session)))
    .replace(consoleBlock(question), () => consoleBlock(replayed.question));
  await expect(again).toMatchFileSnapshot("../../docs/agent.md");
});

test("AG-5: has every command and every option", () => {
  const book = { read: async () => ({ marks: new Set<string>(), findings: [] }), add: async () => {} };
  const skills = createAgentSkills({ book, scan: () => [] });
  const { items } = createCommands().complete({ skills }, "/");
  const options = chat.options.map(({ flags }) => flags.split(" ", 1).join());
  const missing = [...items.map(({ text }) => text), ...options].filter((name) => !page.includes(`\`${name}`));
  expect(missing).toEqual([]);
});

test("AG-8: has the true limits", () => {
  const { calls, callsAtOnce, toolMilliseconds, textBytes, historyTokens } = usualAgentLimits;
  const section = sectionOf(page, "Limits");
  expect(section).toContain(`${calls} calls of the model; ${callsAtOnce} tool calls in one answer`);
  expect(section).toContain(`${toolMilliseconds / 60_000} minutes; ${textBytes / 1024} KiB of answer`);
  expect(sectionOf(page, "Conversations")).toContain(`Above ${historyTokens.toLocaleString("en")} tokens`);
});

test("AG-2, AG-9: the agent in the README prints what it says it prints", async () => {
  const section = sectionOf(readme, "An agent that holds them");
  const prepare = `cp -r "${resolve("eval")}" "${resolve("examples")}" .\n`;
  const again = await walkPage(section, { prepare, isTaken });
  expect(again).toContain("denied TOOL_FORBIDDEN");
  await expect(readme.replace(section, () => again)).toMatchFileSnapshot("../../README.md");
});

function isTaken({ kind }: Step): boolean {
  return kind === "sh" || kind === "text";
}

function consoleBlock(text: string): string {
  return `\`\`\`console\n${text}\`\`\``;
}

/** The lines that the page has somebody type, typed at a terminal; every question is answered with yes. */
async function replay(session: string): Promise<{ readonly session: string; readonly question: string }> {
  const room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-agent-")));
  onTestFinished(() => rmSync(room, { recursive: true }));
  const terminal = new Terminal(room);
  await terminal.type(fenced(sectionOf(page, "A session"), "sh").join(""));
  terminal.close();
  const [command = "", ...shown] = session.split("\n");
  const words = command.replace("$ npx skillward ", "").split(" ");
  const pty = new Pty(process.execPath, [resolve("dist/cli.js"), ...words], {
    columns: 96,
    rows: 30,
    env: { HOME: room, NO_COLOR: "1" },
    cwd: join(room, "shop"),
  });
  let question = "";
  for (const line of shown.filter((row) => row.startsWith("› ")).map((row) => row.slice(2))) {
    question = (await answerUntilFree(pty)) || question;
    pty.type(line);
    await pty.until((rows) => promptOf(rows) === `› ${line}`, `${line} at the prompt`);
    pty.press("Enter");
  }
  expect(await pty.ended).toBe(0);
  const said = [command, ...pty.scrollback()].join("\n").trimEnd();
  return { session: `${said.replaceAll(room, "/home/ada")}\n`, question };
}

/** What was asked on the way to the next prompt. Only behind a turn that is over, and the greeting, is an empty row. */
async function answerUntilFree(pty: Pty): Promise<string> {
  let question = "";
  const isAsked = (rows: readonly string[]) => rows.some((row) => row.startsWith("allow? [y]es"));
  for (;;) {
    let seen: readonly string[] = [];
    await pty.until((rows) => {
      seen = rows;
      return isAsked(rows) || (promptOf(rows) === "›" && rows[rows.lastIndexOf("›") - 1] === "");
    }, "a question or the next prompt");
    if (!isAsked(seen)) return question;
    const from = seen.findIndex((row) => row.endsWith(" wants to run:"));
    question = `${seen.slice(from, seen.findIndex((row) => row.startsWith("allow?")) + 1).join("\n")}\n`;
    pty.type("y");
    await pty.until((rows) => !isAsked(rows), "the question answered");
  }
}

/** The row above the status. */
function promptOf(rows: readonly string[]): string | undefined {
  return rows[rows.findLastIndex((row) => row.startsWith("  scripted:")) - 1];
}
