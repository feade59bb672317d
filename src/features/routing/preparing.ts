import type { Finding } from "../../core/finding.ts";
import { parseConfiguration } from "../../models/configuration.ts";
import type { App } from "../../app/app.ts";
import type { IndexProgress } from "./index-keeper.ts";
import type { Prepared, Routing } from "./routing.ts";

/** What becomes of the index, for the log of the server. */
export interface PreparingEvents {
  readonly onProgress: (progress: IndexProgress) => void;
  readonly onPrepared: (prepared: Prepared) => void;
  /** About the index itself: each once. */
  readonly onFinding: (finding: Finding) => void;
  readonly onFailure: (error: unknown) => void;
}

/** What failed is tried again: the store or a service may be back. */
const retryEvery = 60_000;

/**
 * Keeps the index of a running server in step, at its start and whenever there is a new generation (RT-6). As long as no
 * configuration routes and nothing needs vectors, there is none: whoever asks the router all the same waits for it.
 */
export function startPreparing(app: App, routing: Routing, events: PreparingEvents): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const told = new Set<Finding>();
  let [isWanted, hasFailed] = [false, false];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        hasFailed = (await isRouted(app)) && !(await prepareOnce());
      } catch (error) {
        hasFailed = true;
        events.onFailure(error);
      }
    }
    working = undefined;
  }

  async function prepareOnce(): Promise<boolean> {
    const { snapshot } = await app.registry.look();
    const prepared = await routing.prepare(snapshot, { onProgress: events.onProgress, signal });
    for (const finding of routing.findings.filter((each) => !told.has(each))) {
      told.add(finding);
      events.onFinding(finding);
    }
    if (signal.aborted) return true;
    events.onPrepared(prepared);
    return prepared.failure === null;
  }

  /** Generations that come while one is worked on are taken together. */
  function want(): void {
    isWanted = true;
    working ??= work();
  }

  // Without it requests bring the index up to date themselves, and the first after a change waits for that.
  const watching = app.watch(want).catch((error: unknown) => events.onFailure(error));
  const retrying = app.world.timer.every(retryEvery, () => (hasFailed ? want() : undefined));
  want();
  return {
    async stop() {
      stopping.abort();
      retrying.stop();
      await (await watching)?.close();
      await working;
    },
  };
}

/** Vectors are not made when somebody asks: whoever lists the link that needs them wants them beforehand. */
async function isRouted({ kept, config }: App): Promise<boolean> {
  if (config.route.links.includes("semantic")) return true;
  const configurations = (await kept.read.listLlmRecords("configuration")).map(parseConfiguration);
  return configurations.some(({ routing }) => routing.enabled);
}
