import type { App, AppOptions } from "../../app/app.ts";
import { readEnvironment } from "../../app/config/config.ts";
import type { Inspection } from "../../app/inspect.ts";
import type { Call, ExitCode, Run } from "./command.ts";
import type { Output } from "./output.ts";

type Act<Opened> = (opened: Opened, call: Call, output: Output) => Promise<ExitCode>;

/** A command that opens the store: the store is closed however the command ends. */
export function withApp(act: Act<App>): Run {
  return (call, output) =>
    during(
      () => openFor(call),
      (app) => act(app, call, output),
    );
}

/** A command that makes no store: one that is not there was not the one that was meant. */
export function withStoredApp(act: Act<App>): Run {
  return (call, output) =>
    during(
      () => openStoredFor(call),
      (app) => act(app, call, output),
    );
}

/** A command that only looks, also at a store that is refused for use (RV-8). */
export function withInspection(act: Act<Inspection>): Run {
  return (call, output) =>
    during(
      async () => {
        const [{ inspectApp }, { createWorld }] = await Promise.all([import("../../app/inspect.ts"), loadWorld()]);
        return inspectApp(createWorld(), readEnvironment(), openingOptions(call));
      },
      (inspection) => act(inspection, call, output),
    );
}

// What opens a store is loaded by the command that needs it.
const loadWorld = () => import("../../app/world/world.ts");

async function openFor(call: Call): Promise<App> {
  const [{ openApp }, { createWorld }] = await Promise.all([import("../../app/app.ts"), loadWorld()]);
  return openApp(createWorld(), readEnvironment(), openingOptions(call));
}

export async function openStoredFor(call: Call): Promise<App> {
  const [{ demandStore }, { createWorld }] = await Promise.all([import("../../app/inspect.ts"), loadWorld()]);
  await demandStore(createWorld(), readEnvironment(), openingOptions(call));
  return openFor(call);
}

async function during<Opened extends { close(): Promise<void> }, Result>(
  open: () => Promise<Opened>,
  act: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await open();
  try {
    return await act(opened);
  } finally {
    await opened.close();
  }
}

export function openingOptions({ options: { config, data, store, acceptRollback } }: Call): AppOptions {
  return {
    ...(typeof store === "string" ? { store } : {}),
    ...(typeof config === "string" ? { config } : {}),
    ...(typeof data === "string" ? { data } : {}),
    acceptRollback: acceptRollback === true,
  };
}
