import type { App } from "../app/app.ts";
import { readEnvironment } from "../app/config/config.ts";
import { Serving } from "../features/serving.ts";
import { demandConfiguration } from "../models/context.ts";
import { createLog } from "../server/logs/log.ts";
import type { Asker } from "../server/mcp/library.ts";
import { connectStdio } from "../server/mcp/stdio.ts";
import { textOption } from "../features/command/call.ts";
import { exit } from "../features/command/command.ts";
import { stopSignal } from "./serve/logs.ts";
import { withApp } from "../features/command/with-app.ts";

/** Standard output is the host's: whatever there is to say goes to standard error. */
export const run = withApp(async (app, call, output) => {
  const serving = new Serving(app);
  try {
    const configuration = textOption(call, "configuration");
    const who = askerOf(app, serving, configuration);
    // What is missing is said now: later every question would only be answered with it.
    if (configuration !== undefined) await serving.target(await who(), { configuration });
    const log = createLog(process.stderr, app.world.clock);
    const connection = await connectStdio(app, serving, { input: process.stdin, output: process.stdout, who, log });
    if (process.stdin.isTTY)
      output.note("Waiting for a host of MCP on standard input; docs/mcp.md says how one starts this.");
    await Promise.race([connection.ended, stopSignal()]);
    await connection.close();
    return exit.fine;
  } finally {
    await serving.close();
  }
});

/** The machine's own person, or the holder of the key for as long as it is one (RV-12): a host runs for days. */
function askerOf(app: App, serving: Serving, configuration: string | undefined): Asker {
  const { apiKey } = readEnvironment();
  return async () => {
    const person = apiKey === null ? app.person : await serving.identify(apiKey);
    if (configuration === undefined) return person;
    demandConfiguration(person, configuration);
    return { ...person, configurations: [configuration] };
  };
}
