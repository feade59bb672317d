// A node that writes all the time until it is told to stop, or killed. It says what was acknowledged to it.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { Serving } from "../../src/features/serving.ts";
import { startStandby } from "../../src/app/standby/standby.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { AppError } from "../../src/core/error.ts";
import type { Person } from "../../src/registry/accounts/roles.ts";
import { atOneGeneration } from "../../src/registry/one-generation.ts";
import { attach, detach } from "../../src/models/attachments.ts";
import { seeded } from "../support/crash-skills.ts";
import { say } from "../support/registry.ts";
import { permitLlm } from "../../src/models/context.ts";

export interface KillOrder {
  readonly variables: Readonly<Record<string, string>>;
  /** Begins the name under which each change is made, so that every one of them can be found. */
  readonly name: string;
  readonly seed: number;
  readonly entries: readonly string[];
}

const { variables, name, seed, entries }: KillOrder = JSON.parse(process.argv[2] ?? "");
const random = seeded(seed);
process.once("disconnect", () => process.exit(1));

// All of a node but its port: loading what listens there would take most of the time.
const opened = await openApp(createWorld(), parseEnvironment({ ...variables }));
const standby = startStandby(opened, { onAway: fail, onBack: fail, onFailure: fail });
const { app } = standby;
const serving = new Serving(app, undefined, standby);
process.send?.("ready");
await once(process, "message");
const told = new AbortController();
process.once("message", () => told.abort());
for (let number = 0; !told.signal.aborted; number++) {
  const by = `${name}-${number}`;
  await use(app.person);
  if (await change(app, { name: by, role: "admin", configurations: null })) process.send?.({ by });
  await sleep(5);
}
await serving.close();
await standby.stop();
await app.close();
process.removeAllListeners("disconnect").disconnect();

function fail(what: unknown): never {
  throw what;
}

/** A request whose skills are written down later, by the batch. */
async function use(person: Person): Promise<void> {
  const { target, composed } = await atOneGeneration(async () => {
    const found = await serving.target(person, { configuration: "house" });
    return { target: found, composed: await serving.compose(found, { said: null }) };
  });
  const placed = { user: true, system: false, last: false };
  serving.record(person, { target, composed, placed, request: "r", operation: "chat", model: "m", findings: [] });
}

/** Switches a skill off, or approves it again; takes it from the configuration, or puts it there. False: refused. */
async function change(open: App, person: Person): Promise<boolean> {
  const entry = entries[random(entries.length)] ?? "";
  const { snapshot } = await open.registry.look();
  const attached = await open.kept.read.listAttached("config:house");
  try {
    if (!snapshot.usable.has(entry)) await say(open, person, "approve", entry);
    else if (random(2) === 0) await say(open, person, "disable", entry);
    else
      await (attached.includes(entry) ? detach : attach)(
        permitLlm({ ...open, person }, "operate"),
        "config:house",
        entry,
      );
    return true;
  } catch (error) {
    // The other node was quicker.
    if (error instanceof AppError && !error.code.startsWith("store.")) return false;
    throw error;
  }
}
