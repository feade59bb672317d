import { AppError } from "../../../core/error.ts";
import type { Timer } from "../../../core/world.ts";
import { failure, fine, warning } from "./check.ts";
import type { Check } from "../schema.ts";

/** Somebody elsewhere who is asked how they are. Everything that it takes was read before: the store may be closed. */
export interface Probe {
  readonly name: string;
  /** What this machine calls them; empty where the host says it all. */
  readonly id: string;
  readonly host: string;
  /** What to do when nobody is reached. */
  readonly todo: string;
  /** Fails with what the way out says. */
  readonly ask: (signal: AbortSignal) => Promise<Check>;
}

/** What is known before anybody is asked. */
export function known(check: Check): Probe {
  return { name: check.name, id: "", host: "", todo: "", ask: async () => check };
}

const seconds = 3;
/** All of them are asked at once, so that it takes no longer than one does. */
const most = 64;

/** SV-10: each once, none followed elsewhere, and none waited for longer than a person waits. */
export async function runProbes(probes: readonly Probe[], timer: Timer): Promise<readonly Check[]> {
  const checks = await Promise.all(probes.slice(0, most).map((probe) => runProbe(probe, timer)));
  const others = probes.length - checks.length;
  return others === 0 ? checks : [...checks, fine("network", `${others} more were not asked: it looks at ${most}`)];
}

async function runProbe({ name, id, host, todo, ask }: Probe, timer: Timer): Promise<Check> {
  const ending = new AbortController();
  const late = new AppError("upstream.timeout", `${host} did not answer within ${seconds} seconds`);
  const deadline = timer.every(seconds * 1000, () => ending.abort(late));
  try {
    return await ask(ending.signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // What our own configuration forbids will not pass by itself.
    const isForbidden = error.code === "egress.refused" || error.code === "host.refused";
    return (isForbidden ? failure : warning)(name, id === "" ? error.message : `${id}: ${error.message}`, todo);
  } finally {
    deadline.stop();
  }
}
