import type { Digest } from "../../base/digest.ts";
import { skillFile } from "../../ingest/skill/bundle.ts";
import { readMaterials } from "../../registry/material.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { isListOf } from "../../use/compose/verify.ts";
import type { Contexts } from "../app.ts";
import type { RawSkill } from "./index-job.ts";

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
