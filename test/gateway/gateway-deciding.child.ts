// Changes what is in use, all the time and in a process of its own, and says what held in every generation.
import { once } from "node:events";
import { type App, openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { attach, detach } from "../../src/models/attachments.ts";
import { seeded } from "../support/crash-skills.ts";
import { say } from "../support/registry.ts";
import { permitLlm } from "../../src/models/context.ts";

export interface DecidingOrder {
  readonly environment: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
  readonly seed: number;
}

/** One generation: what is attached, in order, and what of all is usable. */
export interface Held {
  readonly generation: number;
  readonly attached: readonly string[];
  readonly usable: readonly string[];
}

const order: DecidingOrder = JSON.parse(process.argv[2] ?? "");
const random = seeded(order.seed);
process.once("disconnect", () => process.exit(1));

const told = new AbortController();
const app = await openApp(createWorld(), parseEnvironment({ ...order.environment }));
process.send?.(await held(app));
await once(process, "message");
process.once("message", () => told.abort());
while (!told.signal.aborted) {
  await change(app, order.entries[random(order.entries.length)] ?? "");
  process.send?.(await held(app));
}
await app.close();
process.send?.("done");
process.disconnect();

async function held({ registry, kept }: App): Promise<Held> {
  const { snapshot } = await registry.look();
  const attached = await kept.read.listAttached("config:house");
  return { generation: snapshot.generation, attached, usable: [...snapshot.usable.keys()] };
}

/** Switches it off, or approves it again; now and then takes it from the configuration, or puts it there. */
async function change(open: App, entry: string): Promise<void> {
  const { usable, attached } = await held(open);
  if (!usable.includes(entry)) await say(open, open.person, "approve", entry);
  else if (random(3) > 0) await say(open, open.person, "disable", entry);
  else await (attached.includes(entry) ? detach : attach)(permitLlm(open, "operate"), "config:house", entry);
}
