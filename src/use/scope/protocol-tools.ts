import { canonicalTools, hostTools } from "../../base/tools/tools.ts";
import type { CapabilitySkill } from "./capability.ts";
import { forbidsAll } from "./reach.ts";

/** A word of a step that would be a tool the skill does not leave, if it is a tool at all. */
export interface StepWord {
  /** From 1. */
  readonly step: number;
  readonly text: string;
  readonly word: string;
  /** Canonical. */
  readonly tools: readonly string[];
}

const plainName = /[A-Za-z_][A-Za-z0-9_./-]{0,127}/g;
const quoted = /`([^`]{1,256})`/g;

/** The words of a protocol that would need a tool outside of what the skill leaves. */
export interface StepWords {
  /** Tools for certain: our own in whatever spelling, and what the skill itself names. */
  readonly tools: readonly StepWord[];
  /** Tools only where somebody else knows them. */
  readonly others: readonly StepWord[];
}

const looked = new WeakMap<CapabilitySkill, StepWords>();

/** Looked for once in each skill; each word counts once (SC-4). */
export function stepWords(skill: CapabilitySkill): StepWords {
  const known = looked.get(skill);
  if (known !== undefined) return known;
  const certain = new Set([...hostTools, ...namedBy(skill)]);
  const found = lookThrough(skill);
  const isCertain = ({ tools }: StepWord) => tools.some((tool) => certain.has(tool));
  const words = { tools: found.filter(isCertain), others: found.filter((word) => !isCertain(word)) };
  looked.set(skill, words);
  return words;
}

const named = new WeakMap<CapabilitySkill, readonly string[]>();

/** The tools that a skill allows or forbids by name. */
export function namedBy(skill: CapabilitySkill): readonly string[] {
  const known = named.get(skill);
  if (known !== undefined) return known;
  const allows = skill.allowed === "*" ? [] : skill.allowed.flatMap(({ tools }) => tools);
  const forbids = skill.forbidden.flatMap(({ reach }) => ("tools" in reach ? reach.tools : []));
  const names = [...new Set([...allows, ...forbids])];
  named.set(skill, names);
  return names;
}

function lookThrough(skill: CapabilitySkill): StepWord[] {
  const leaves = leavesOf(skill);
  const found = new Map<string, StepWord>();
  for (const [at, text] of skill.executionProtocol.entries())
    for (const word of wordsOf(text)) {
      if (found.has(word)) continue;
      const tools = canonicalTools(word);
      if (tools.length > 0 && !tools.every(leaves)) found.set(word, { step: at + 1, text, word, tools });
    }
  return [...found.values()];
}

function leavesOf({ allowed, forbidden }: CapabilitySkill): (tool: string) => boolean {
  const listed = allowed === "*" ? null : new Set(allowed.flatMap(({ tools }) => tools));
  return (tool) => (listed === null || listed.has(tool)) && !forbidden.some((entry) => forbidsAll(entry, tool));
}

/**
 * What in a step can be meant as a tool: its first word, what stands in backticks, and words that no sentence has by
 * itself. Any other word of a sentence is a word: "then read it again" needs nothing.
 */
function wordsOf(step: string): Set<string> {
  const words = new Set<string>();
  const add = (word: string | undefined) => {
    if (word !== undefined) words.add(word.replace(/[./-]{1,128}$/, ""));
  };
  add(leadingName(step.trimStart()));
  for (const [, inside] of step.matchAll(quoted)) add(leadingName(inside ?? ""));
  for (const [word] of step.matchAll(plainName)) if (isDistinctive(word)) add(word);
  return words;
}

function leadingName(text: string): string | undefined {
  const [first] = text.match(plainName) ?? [];
  return first !== undefined && text.startsWith(first) ? first : undefined;
}

function isDistinctive(word: string): boolean {
  return /[A-Z_]/.test(word) || /[a-z0-9]-[a-z0-9]/.test(word);
}
