import { fileURLToPath } from "node:url";
import type { App } from "../../app/app.ts";
import { readEnvironment } from "../../app/config/config.ts";
import { prepareDemonstration, wasDemonstrationRemoved } from "../../features/overview/demonstration.ts";
import { AppError } from "../../core/error.ts";
import { listKeys } from "../../registry/accounts/api-keys.ts";
import { firstAdminLink } from "../../registry/accounts/first-admin.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import { textOption } from "../../features/command/call.ts";
import { type Call, exit } from "../../features/command/command.ts";
import { show } from "../../features/command/render.ts";
import { renderRunning, type Running } from "./render-running.ts";
import type { RunningServer } from "../../server/server.ts";
import { serveApp } from "./serve-app.ts";
import { stopSignal } from "./logs.ts";
import { withApp } from "../../features/command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  // RV-13: whoever serves uses the secrets of all providers.
  const permit = requireRight(app, "administer");
  const server = await serveApp(app, {
    host: textOption(call, "host") ?? "127.0.0.1",
    port: portOf(call),
    log: process.stderr,
    pages: fileURLToPath(new URL("./web", import.meta.url)),
  });
  try {
    const running = await prepare(app, permit, call, server);
    // Before it is said: whoever reads that may stop it at once.
    const stopping = stopSignal();
    show(output, call, running, () => renderRunning(running, output));
    await stopping;
    output.note("Stopping: what is under way is finished first.");
  } finally {
    await server.stop();
  }
  return exit.fine;
});

/** Once it listens: a start whose port is taken ends no key of the server that has it. */
async function prepare(app: App, permit: Permit<"administer">, call: Call, server: RunningServer): Promise<Running> {
  const demonstration = await demonstrate(app, call);
  const { keys } = await listKeys(app.accounts, permit);
  // Where a browser of this machine finds it: only there does it sign in without TLS (T37).
  return {
    url: server.url,
    store: app.storePlace.engine === "sqlite" ? app.storePlace.file : "PostgreSQL",
    variables: await namedPlaces(app, call),
    demonstration,
    hasKeys: keys.some(({ state }) => state === "active"),
    // On standard output alone, for whoever sits here: the log goes elsewhere.
    firstLink: await firstAdminLink(
      { ...app.accounts, store: app.kept.store },
      server.url.startsWith("http://127.0.0.1:") ? server.url : `http://localhost:${server.port}`,
    ),
  };
}

async function demonstrate(app: App, { options }: Call): Promise<Running["demonstration"]> {
  const isAskedAgain = options["demoAgain"] === true;
  if (!isAskedAgain && options["demo"] !== true) return null;
  if (!isAskedAgain && (await wasDemonstrationRemoved(app))) return "removed";
  // The package carries them beside the code that is running.
  return prepareDemonstration(app, fileURLToPath(new URL("../examples/skills", import.meta.url)));
}

function portOf(call: Call): number {
  const text = textOption(call, "port") ?? "";
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new AppError("usage.invalid", "--port: expected a number from 0 to 65535");
}

/** What another command has to be told to find the same store: the places that this one was told. */
async function namedPlaces({ world, places, storePlace }: App, call: Call): Promise<Running["variables"]> {
  const { config, data, keys, store } = readEnvironment();
  const isNamed = (name: string, variable: string | null) => (textOption(call, name) ?? variable) !== null;
  // The address of a database has its password in it.
  const named = storePlace.engine === "sqlite" ? storePlace.file : "postgres://…";
  return {
    ...(isNamed("config", config) && { SKILLWARD_CONFIG: await world.files.resolve(places.configFile) }),
    ...(isNamed("data", data) && { SKILLWARD_DATA: await world.files.resolve(places.dataFolder) }),
    ...(keys !== null && { SKILLWARD_KEYS: places.keyFile }),
    ...(isNamed("store", store) && { SKILLWARD_STORE: named }),
  };
}
