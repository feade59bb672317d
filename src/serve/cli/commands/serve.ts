import { fileURLToPath } from "node:url";
import type { App } from "../../../app/app.ts";
import { type Demonstration, prepareDemonstration } from "../../../app/demonstration.ts";
import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import { firstAdminLink } from "../../../registry/accounts/first-admin.ts";
import { demand } from "../../../registry/accounts/roles.ts";
import { textOption } from "../call.ts";
import { type Call, exit } from "../command.ts";
import type { Output } from "../output.ts";
import { show } from "../render.ts";
import type { RunningServer } from "../../server.ts";
import { serveApp } from "../serve-app.ts";
import { shellWord } from "../shell-word.ts";
import { stopSignal } from "../stop-signal.ts";
import { version } from "../../version.ts";
import { withApp } from "../with-app.ts";

export const run = withApp(async (app, call, output) => {
  // RV-13: whoever serves uses the secrets of all providers.
  demand(app.person, "administer", app.review.policy);
  const port = portOf(call);
  const demonstration = call.options["demo"] === true ? await prepareDemonstration(app, examplesFolder()) : undefined;
  const server = await serveApp(app, {
    host: textOption(call, "host") ?? "127.0.0.1",
    port,
    log: process.stderr,
    pages: fileURLToPath(new URL("./web", import.meta.url)),
  });
  // On standard output alone, for whoever sits here: the log goes elsewhere.
  const firstLink = await firstAdminLink({ ...app.accounts, store: app.kept.store }, nearUrl(server));
  const running = { url: server.url, store: storeOf(app), demonstration: demonstration ?? null, firstLink };
  // Before it is said: whoever reads that may stop it at once.
  const stopping = stopSignal();
  show(output, call, running, () => renderRunning(app, running, output));
  await stopping;
  output.note("Stopping: what is under way is finished first.");
  await server.stop();
  return exit.fine;
});

/** Where a browser of this machine finds it: only there does it sign in without TLS (T37). */
function nearUrl({ url, port }: RunningServer): string {
  return url.startsWith("http://127.0.0.1:") ? url : `http://localhost:${port}`;
}

/** The package carries them beside the code that is running. */
function examplesFolder(): string {
  return fileURLToPath(new URL("../examples/skills", import.meta.url));
}

function portOf(call: Call): number {
  const text = textOption(call, "port") ?? "";
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new AppError("usage.invalid", "--port: expected a number from 0 to 65535");
}

function storeOf({ storePlace }: App): string {
  return storePlace.engine === "sqlite" ? storePlace.file : "PostgreSQL";
}

interface Running {
  readonly url: string;
  readonly demonstration: Demonstration | null;
  /** Null: there is an admin. */
  readonly firstLink: string | null;
}

function renderRunning(app: App, { url, demonstration, firstLink }: Running, { style }: Output): string {
  const first =
    firstLink === null ? [] : ["", "Make the first admin, within 24 hours:", `  ${style("cyan", firstLink)}`];
  const lines = [
    `${style("bold", `Skillward ${version}`)} serves on ${style("cyan", url)}`,
    `  web                ${url}`,
    `  OpenAI clients     base URL ${url}/v1`,
    `  Anthropic clients  base URL ${url}`,
    `  MCP clients        ${url}/mcp`,
    `  store              ${safeLine(storeOf(app), 500)}`,
  ];
  if (demonstration === null)
    return [...lines, ...first, "", "A client needs a key: skillward key add <name> --role reader"].join("\n");
  const notes = demonstration.notes.map((note) => `  ${style("yellow", "note")} ${safeLine(note, 500)}`);
  const about = `Two example skills are in every prompt of the configuration ${demonstration.configuration}, which echoes. See it:`;
  return [...lines, ...notes, ...first, "", about, tryIt(url, demonstration)].join("\n");
}

/** One line that works as it stands. */
function tryIt(url: string, { configuration, key }: Demonstration): string {
  const content = "Scale my pancakes from 4 to 10 people.";
  const body = JSON.stringify({ model: configuration, messages: [{ role: "user", content }] });
  const headers = [`authorization: Bearer ${key}`, "content-type: application/json"];
  const flags = headers.map((header) => `-H ${shellWord(header)}`).join(" ");
  return `curl -sS ${url}/v1/chat/completions ${flags} -d ${shellWord(body)}`;
}
