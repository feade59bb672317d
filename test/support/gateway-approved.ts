import { setDigest, sha256 } from "../../src/core/digest.ts";
import type { Trust } from "../../src/sources/trust.ts";
import { compositionKey, type Keys } from "../../src/registry/keys.ts";
import { compose, type ComposeOptions } from "../../src/compose/compose.ts";
import type { Composition } from "../../src/compose/composition.ts";

/** A skill by the files that people approved. SKILL.md is the first. */
export interface ApprovedSkill {
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export type ApprovedOptions = Partial<ComposeOptions> & { readonly trust?: Trust };

/** What a prompt of configuration `house` must be given with exactly these skills, without asking any store. */
export function composeApproved(
  keys: Keys,
  skills: readonly ApprovedSkill[],
  { trust = "community", ...options }: ApprovedOptions = {},
): Composition {
  const listed = skills.map(({ entry, files }) => {
    const list = files.map(({ path, bytes }) => ({ path, digest: sha256(bytes) }));
    return { entry, list, skill: files[0]?.bytes };
  });
  const chosen = listed.map(({ entry, list }) => {
    return { entry, via: "configuration" as const, digest: setDigest(list), trust, grants: [] };
  });
  const materials = new Map(listed.map(({ entry, list, skill }) => [entry, { files: list, skill, faults: [] }]));
  const usual = { configuration: "house", systemFloor: "first_party", placement: "user", budget: 24_000 } as const;
  const selection = { chosen, dropped: [], findings: [] };
  return compose(selection, materials, { key: compositionKey(keys), ...usual, ...options });
}
