import type { MeasuredRouting } from "../use/route/evaluation/measured-routing.ts";
import type { App } from "./app.ts";
import { wordsFor } from "./pool-routing.ts";
import { demandAll } from "./route/demand-all.ts";
import type { IndexProgress } from "./route/index-keeper.ts";
import type { Routing } from "./route/routing.ts";

export interface MeasuredRegistry extends MeasuredRouting {
  /** All of it is measured at this one, whatever is decided meanwhile. */
  readonly generation: number;
}

interface MeasureOptions {
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The registry's own routing as it is now, with everything in use to choose among. */
export async function measuredRegistry(
  app: App,
  { routing }: { readonly routing: Routing },
  { onProgress, signal }: MeasureOptions = {},
): Promise<MeasuredRegistry> {
  demandAll(app.person, app.llm.policy, "an evaluation concerns all of them");
  const { snapshot } = await app.registry.look();
  await routing.prepare(snapshot, { onProgress, signal });
  const shelf = await routing.shelfOf(snapshot);
  return {
    generation: snapshot.generation,
    entries: snapshot.usable,
    index: { skills: snapshot.usable.size, buildMs: null, loadMs: null, bytes: null },
    route: (query, limit) => routing.route(snapshot, query, { limit, ...(signal === undefined ? {} : { signal }) }),
    wordsFor: (query, entry) => wordsFor(shelf, query, entry),
    // Bodies stay in the store: names and descriptions are what tells skills apart here.
    bodyOf: () => "",
  };
}
