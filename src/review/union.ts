import type { Finding } from "../base/finding.ts";
import { safeLine } from "../base/text.ts";
import { type Capabilities, type CapabilityKind, capabilityKinds } from "./capabilities.ts";
import { reviewFaults } from "./review-faults.ts";

/** One thing that skills which are used together can reach for, and which of them do. */
interface Reach {
  readonly what: string;
  readonly of: readonly string[];
}

/** What a set of skills can reach for together (RV-14). */
export type Union = Readonly<Record<CapabilityKind, readonly Reach[]>>;

export interface SkillInSet {
  /** How it is named to a person. */
  readonly skill: string;
  readonly capabilities: Capabilities;
}

export function unionOf(skills: readonly SkillInSet[]): Union {
  const [secrets, network, shell] = capabilityKinds.map((kind) => reachesOf(skills, kind));
  return { secrets: secrets ?? [], network: network ?? [], shell: shell ?? [] };
}

function reachesOf(skills: readonly SkillInSet[], kind: CapabilityKind): readonly Reach[] {
  const reaches = new Map<string, string[]>();
  for (const { skill, capabilities } of skills)
    for (const what of capabilities[kind]) reaches.set(what, [...(reaches.get(what) ?? []), skill]);
  return [...reaches].map(([what, of]) => ({ what, of })).toSorted((a, b) => (a.what < b.what ? -1 : 1));
}

/** T35: each of two skills may be harmless, and both in one prompt not: one reads secrets, the other sends. */
export function combinedFindings(skills: readonly SkillInSet[], target: string): readonly Finding[] {
  const readers = skills.filter(({ capabilities }) => capabilities.secrets.length > 0).map(({ skill }) => skill);
  const senders = skills.filter(({ capabilities }) => capabilities.network.length > 0).map(({ skill }) => skill);
  if (!readers.some((reader) => senders.some((sender) => sender !== reader))) return [];
  const message = `${named(readers)} can read secrets and ${named(senders)} can reach the network: together they can send what neither could alone`;
  const code = "attached.secrets-network";
  return [{ code, level: reviewFaults[code].level, message, at: { file: target, line: 1 } }];
}

const mostNamed = 5;

function named(skills: readonly string[]): string {
  const shown = skills.slice(0, mostNamed).map((skill) => safeLine(skill));
  const rest = skills.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
