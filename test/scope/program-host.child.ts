// A host that runs a program: what it is told is its first argument, what it says are messages.
import { createWorld } from "../../src/app/world/world.ts";

export interface HostOrder {
  readonly folder: string;
  readonly argv: readonly string[];
  /** A signal that the host sees to itself, once. */
  readonly hears: NodeJS.Signals | null;
}

const { folder, argv, hears }: HostOrder = JSON.parse(process.argv[2] ?? "");
const count = () => ["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((name) => process.listenerCount(name));
const before = count();
if (hears !== null) process.once(hears, () => process.send?.("heard"));
await createWorld().processes.run(argv, { folder, milliseconds: 50_000, outputBytes: 1000 });
process.send?.(count().map((now, at) => now - (before[at] ?? 0)));
process.disconnect();
