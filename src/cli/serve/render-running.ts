import type { Demonstration } from "../../features/overview/demonstration.ts";
import { safeLine } from "../../core/text.ts";
import { version } from "../../core/version.ts";
import type { Output } from "../../features/command/output.ts";
import { plural } from "../../features/command/render.ts";
import { shellWord } from "../../features/command/call.ts";

/** What whoever has started a server is told. */
export interface Running {
  readonly url: string;
  readonly store: string;
  /** With which other commands find the same store; none where it is the one they take by themselves. */
  readonly variables: Readonly<Record<string, string>>;
  /** Null: it was not asked for. */
  readonly demonstration: Demonstration | "removed" | null;
  readonly hasKeys: boolean;
  /** Null: there is an admin. */
  readonly firstLink: string | null;
}

export function renderRunning(running: Running, { style }: Output): string {
  const { url, store, demonstration, firstLink } = running;
  const isShown = demonstration !== null && demonstration !== "removed";
  const notes = isShown ? demonstration.notes : [];
  const parts = [
    `${style("bold", `Skillward ${version}`)} serves on ${style("cyan", url)}`,
    `  web                ${url}`,
    `  OpenAI clients     base URL ${url}/v1`,
    `  Anthropic clients  base URL ${url}`,
    `  MCP clients        ${url}/mcp`,
    `  store              ${safeLine(store, 500)}`,
    ...renderVariables(running),
    ...notes.map((note) => `  ${style("yellow", "note")} ${safeLine(note, 500)}`),
    ...(firstLink === null ? [] : ["", "Make the first admin, within 24 hours:", `  ${style("cyan", firstLink)}`]),
    ...(demonstration === "removed" ? ["", "The demonstration was removed; --demo-again brings it back."] : []),
    ...(isShown ? ["", aboutPrompts(demonstration), tryIt(url, demonstration)] : []),
    ...(running.hasKeys ? [] : ["", "A client needs a key: skillward key add <name> --role reader"]),
  ];
  return parts.join("\n");
}

function renderVariables({ variables }: Running): readonly string[] {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  return words.length === 0 ? [] : [`  at a terminal      export ${words.join(" ")}`];
}

function aboutPrompts({ configuration, skills }: Demonstration): string {
  const where = `the configuration ${configuration}, which echoes`;
  if (skills.length === 0)
    return `No skill is in the prompts of ${where}: attach one. Until then you see your own words:`;
  return `${plural(skills.length, "skill")} ${skills.length === 1 ? "is" : "are"} in every prompt of ${where}. See it:`;
}

/** One line that works as it stands. */
function tryIt(url: string, { configuration, key }: Demonstration): string {
  const content = "Scale my pancakes from 4 to 10 people.";
  const body = JSON.stringify({ model: configuration, messages: [{ role: "user", content }] });
  const headers = [`authorization: Bearer ${key}`, "content-type: application/json"];
  const flags = headers.map((header) => `-H ${shellWord(header)}`).join(" ");
  return `curl -sS ${url}/v1/chat/completions ${flags} -d ${shellWord(body)}`;
}
