import type { MeasuredRouting } from "../use/route/evaluation/measured-routing.ts";
import type { App } from "./app.ts";
import { wordsFor } from "./pool-routing.ts";
import { demandAll } from "./route/demand-all.ts";
import type { IndexProgress } from "./route/index-keeper.ts";
import type { Serving } from "./serving.ts";

/** The registry's own routing as it is now, with everything in use to choose among. */
export async function measuredRegistry(
  app: App,
  { routing }: Serving,
  onProgress: (progress: IndexProgress) => void,
): Promise<MeasuredRouting> {
  demandAll(app.person, app.llm.policy, "measure a folder with --skills");
  const { snapshot } = await app.registry.look();
  await routing.prepare(snapshot, { onProgress });
  const shelf = await routing.shelfOf(snapshot);
  return {
    entries: snapshot.usable,
    index: { skills: snapshot.usable.size, buildMs: null, loadMs: null, bytes: null },
    route: (query, limit) => routing.route(snapshot, query, { limit }),
    wordsFor: (query, entry) => wordsFor(shelf, query, entry),
    // Bodies stay in the store: names and descriptions are what tells skills apart here.
    bodyOf: () => "",
  };
}
