import type { Finding } from "../core/finding.ts";
import { safeLine } from "../core/text.ts";
import { reviewFaults } from "./scan-faults.ts";

/** What a bundle can reach for, as the scanner sees it (RV-14, T35): facts, not faults. Each names what shows it. */
export interface Capabilities {
  /** Names of environment variables, credential files and stores that its text or scripts read. */
  readonly secrets: readonly string[];
  /** Hosts, and programs or tools that open connections. */
  readonly network: readonly string[];
  /** Programs, interpreters and tools that run commands. */
  readonly shell: readonly string[];
}

export const capabilityKinds = ["secrets", "network", "shell"] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

export const noCapabilities: Capabilities = { secrets: [], network: [], shell: [] };

const mostListed = 50;

/** As they are kept and shown: of each kind so many. What is beyond is counted, not forgotten. */
export function boundedCapabilities({ secrets, network, shell }: Capabilities): Capabilities {
  return { secrets: bounded(secrets), network: bounded(network), shell: bounded(shell) };
}

function bounded(names: readonly string[]): readonly string[] {
  if (names.length <= mostListed) return names;
  const shown = mostListed - 1;
  return [...names.slice(0, shown), `and ${names.length - shown} more`];
}

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
