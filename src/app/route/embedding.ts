import type { Snapshot } from "../../registry/snapshot.ts";
import { embedMissing } from "../../use/route/vectors/vectors-embedding.ts";
import type { Contexts } from "../app.ts";
import { readSkills } from "./index-job.ts";
import type { RouteModels } from "./model-links.ts";
import { readRawSkills } from "./raw-skills.ts";

/** How many vectors were made, and of how many skills the service takes no text. */
export interface Embedded {
  readonly made: number;
  readonly refused: number;
}

/** Makes the vectors that the link `semantic` still misses. */
export async function embedUsable(contexts: Contexts, models: RouteModels, signal?: AbortSignal): Promise<Embedded> {
  const configuration = contexts.config.route.semantic;
  if (configuration === null || !contexts.config.route.links.includes("semantic")) return { made: 0, refused: 0 };
  const { model, embedder } = await models.embedding(configuration);
  const documents = {
    digests: [...byDigest((await contexts.registry.look()).snapshot).keys()],
    // T31: looked at before each batch, since a run is long: what may not be used any more is not sent.
    read: async (digests: readonly string[]) => {
      const usable = byDigest((await contexts.registry.look()).snapshot);
      const { raw } = await readRawSkills(
        contexts,
        digests.flatMap((digest) => usable.get(digest) ?? []),
      );
      return readSkills(raw).documents;
    },
  };
  const embedded = await embedMissing({ kept: contexts.kept, embedder, model, documents, signal });
  if (embedded.made > 0) models.refresh();
  return embedded;
}

function byDigest({ usable }: Snapshot) {
  return new Map([...usable.values()].map((entry) => [entry.digest, entry]));
}
