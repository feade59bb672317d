import { AppError } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Trust } from "../../sources/trust.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { compose, type ComposeOptions } from "../../compose/compose.ts";
import type { Composition } from "../../compose/composition.ts";
import { select } from "../../compose/select.ts";
import type { FolderSkill } from "../bundles/folder-skills.ts";

/** How skills of a folder are put together. Only the key has no default. */
export interface FolderComposing {
  /** The composition key: the same one gives the same bytes. */
  readonly key: Uint8Array;
  /** Stands where a configuration's id would: part of what the boundary is made from. */
  readonly label?: string;
  /** Bytes of both blocks; what is no number above 0 is 24,000 (CO-6). */
  readonly budget?: number;
  /** How far the folder is trusted; `untrusted` without it. */
  readonly trust?: Trust;
  readonly placement?: "user" | "system";
  readonly systemFloor?: Trust;
  /** How they were asked for: `invoked` ones are never dropped for the budget, the request fails instead (CO-6). */
  readonly via?: "configuration" | "invoked";
  /** Whoever reads the prompt can open the skills' files, so that references to them stay (CO-5). */
  readonly canReadFiles?: boolean;
}

/**
 * CO-1 to CO-7 without a store. Nobody approved anything here, so that no skill brings a grant (CO-10), and one with a
 * finding that blocks is left out with that finding.
 */
export function composeSkills(skills: readonly FolderSkill[], composing: FolderComposing): Composition {
  refuseTwins(skills);
  const { trust = "untrusted" } = composing;
  const usable = new Map(skills.flatMap((skill) => usableAs(skill, trust)).map((entry) => [entry.id, entry]));
  const unusable = new Map(skills.map((skill) => [skill.entry, skill.unusable ?? "it could not be read as a whole"]));
  const ids = skills.map(({ entry }) => entry);
  const [configuration, invoked] = composing.via === "invoked" ? [[], ids] : [ids, []];
  const wanted = { configuration, task: [], invoked, routed: [] };
  const selection = select(usable, wanted, "untrusted", (entry) => unusable.get(entry) ?? "");
  const materials = new Map(skills.map(({ entry, material }) => [entry, material]));
  const composition = compose(selection, materials, optionsOf(composing));
  return { ...composition, findings: [...skills.flatMap(blocking), ...composition.findings] };
}

function optionsOf(composing: FolderComposing): ComposeOptions {
  return {
    key: composing.key,
    configuration: composing.label ?? "folder",
    placement: composing.placement ?? "user",
    systemFloor: composing.systemFloor ?? "first_party",
    budget: composing.budget ?? 0,
    canReadFiles: composing.canReadFiles === true,
  };
}

function usableAs({ entry, name, description, digest, unusable }: FolderSkill, trust: Trust): UsableEntry[] {
  if (digest === null || unusable !== null) return [];
  return [{ id: entry, digest, name, description, trust, grants: [], approvals: [] }];
}

function blocking({ findings }: FolderSkill): readonly Finding[] {
  return findings.filter(blocks);
}

/** Of two under one id one would be lost without a word. */
function refuseTwins(skills: readonly FolderSkill[]): void {
  const digests = new Map<string, FolderSkill["digest"]>();
  for (const { entry, digest } of skills) {
    if (digests.has(entry) && digests.get(entry) !== digest)
      throw new AppError(
        "usage.invalid",
        `two different skills are ${safeLine(entry, 240)}; load each folder under a source of its own`,
      );
    digests.set(entry, digest);
  }
}
