import type { Registry } from "../../registry/registry.ts";
import type { ReadyCheck } from "../serving.ts";
import type { Absence, StoreStanding } from "../../app/standby/standing.ts";

const reasons: Readonly<Record<Absence, string>> = {
  silent: "the store is away",
  another: "what came back is not the store that went; the log says why",
  rotated: "the key file was rotated: copy the new one here and start the node again",
};

/** SV-7: whether requests can be answered, and from what. Anybody may ask: nothing here names the machine. */
export async function checkStore(
  registry: Pick<Registry, "look">,
  standing: () => StoreStanding,
): Promise<{ readonly ready: boolean; readonly check: ReadyCheck }> {
  const generation = await generationOf(registry);
  const { away } = standing();
  const [name, ready] = ["store", generation !== undefined];
  if (away === null) {
    const about = generation ?? "the store cannot be read; its log says why";
    return { ready, check: { name, ok: ready, about } };
  }
  const since = `${reasons[away.why]}, since ${new Date(away.since).toISOString()}`;
  const left = Math.max(0, Math.floor(away.mostSeconds - away.seconds));
  const then = ready
    ? `answering from ${generation}, for at most ${left} s more`
    : "nothing is injected until it is back";
  return { ready, check: { name, ok: false, about: `${since}: ${then}` } };
}

/** Undefined: nothing can be given out. */
async function generationOf(registry: Pick<Registry, "look">): Promise<string | undefined> {
  try {
    const { snapshot } = await registry.look();
    return `generation ${snapshot.generation}, skills that may be used: ${snapshot.usable.size}`;
  } catch {
    // Whoever asked for something is told why, and so is the log.
    return undefined;
  }
}
