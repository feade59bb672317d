import { setDigest, sha256 } from "../../src/core/digest.ts";
import { trusts, type Trust } from "../../src/sources/trust.ts";
import { compose, type ComposeOptions } from "../../src/compose/compose.ts";
import type { Chosen, Composition, Material, Via } from "../../src/compose/composition.ts";

export interface SkillWish {
  readonly entry?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  readonly asks?: readonly string[];
  readonly granted?: readonly string[];
  readonly via?: Via;
  readonly trust?: Trust;
  /** Further files of its bundle. */
  readonly files?: readonly string[];
}

/** A skill that was approved as it is, and what an untouched store holds of it. */
export interface MadeSkill {
  readonly chosen: Chosen;
  readonly material: Material;
}

export function makeSkill(wish: SkillWish = {}): MadeSkill {
  const { entry = "house:skills/pdf", name = "pdf", description = "Reads files.", body = "Do it.\n" } = wish;
  const { asks, granted = [], via = "configuration", trust = "verified", files: others = [] } = wish;
  const header = { name, description, ...(asks === undefined ? {} : { "allowed-tools": asks }) };
  // JSON is YAML, and quotes whatever a name may hold.
  const fields = Object.entries(header).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`);
  const skill = Buffer.from(`---\n${fields.join("")}---\n${body}`);
  const files = [
    { path: "SKILL.md", digest: sha256(skill) },
    ...others.map((path) => ({ path, digest: sha256(Buffer.from(path)) })),
  ];
  const chosen = { entry, via, trust, digest: setDigest(files), grants: granted };
  return { chosen, material: { files, skill, faults: [] } };
}

const usual: ComposeOptions = {
  key: Buffer.alloc(32, 7),
  configuration: "house",
  placement: "user",
  systemFloor: "verified",
  budget: 1 << 24,
};

export function composeSkills(skills: readonly MadeSkill[], options: Partial<ComposeOptions> = {}): Composition {
  const chosen = skills.map((skill) => skill.chosen);
  const materials = new Map(skills.map(({ chosen: { entry }, material }) => [entry, material]));
  return compose({ chosen, dropped: [], findings: [] }, materials, { ...usual, ...options });
}

/** How often a text has the start of a marker, however it is spelt: by taking all out that could be between. */
export function countMarkers(text: string): number {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu, "");
  return plain.split("[[skillward:").length - 1;
}

export function boundaryOf(block: string): string {
  return /^\[\[skillward:begin ([0-9a-f]{32}(?:-\d+)?)\]\]$/m.exec(block)?.[1] ?? "";
}

export const vias: readonly Via[] = ["configuration", "task", "invoked", "routed"];
export { trusts };
