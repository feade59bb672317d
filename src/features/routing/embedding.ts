import type { Contexts } from "../../app/app.ts";
import { isListOf } from "../../compose/verify.ts";
import type { Digest } from "../../core/digest.ts";
import { readMaterials } from "../../registry/material.ts";
import type { Snapshot, UsableEntry } from "../../registry/snapshot.ts";
import { embedMissing } from "../../routing/vectors/vectors-embedding.ts";
import { skillFile } from "../../skill/bundle.ts";
import { type RawSkill, readSkills } from "./index-job.ts";
import type { RouteModels } from "./model-links.ts";

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

export interface RawSkills {
  readonly raw: readonly RawSkill[];
  /** Whose rows are gone or were changed by hand: neither read nor used (T17). */
  readonly tampered: readonly Digest[];
}

/** The SKILL.md of each, as the store holds it now, under the hash that the approved digest vouches for. */
export async function readRawSkills(
  contexts: Pick<Contexts, "kept" | "keys">,
  entries: readonly UsableEntry[],
): Promise<RawSkills> {
  const materials = await readMaterials(contexts, entries);
  const raw: RawSkill[] = [];
  const tampered: Digest[] = [];
  for (const { id, digest } of entries) {
    const { files = [], skill, faults = [] } = materials.get(id) ?? {};
    const file = files.find(({ path }) => path === skillFile);
    if (skill === undefined || file === undefined || faults.length > 0 || !isListOf(files, digest))
      tampered.push(digest);
    else raw.push({ digest, file: file.digest, bytes: skill });
  }
  return { raw, tampered };
}
