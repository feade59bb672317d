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
/** "Grep is not needed" needs nothing; what a step with a *no* in it says of a tool is left to readers. */
const negation = /\b(?:not|no|never|without|avoid|avoids|avoiding|cannot|dont)\b|n['’]t\b/i;
/** What a first word is done to, behind at most two small words. */
const object = /^:?\s{1,8}(?:(?:the|a|an|to|in|into|from|files?)\s{1,8}){0,2}(\S{1,256})/i;
/** A path or the name of a file: `./a`, `.env`, `docs/`, `a/b/c`, `*.ts`, `report.md`; not `and/or`, not `e.g.` */
const fileLike =
  /^(?:\.{1,2}\/|~?\/|\.[a-z])|\/$|\/[^/]{1,256}\/|\*\.|\/\*|^[\w@./-]{2,128}\.[a-z][a-z0-9]{0,7}$|^\w\.[a-z][a-z0-9]{1,7}$/;
const used = /\b(?:use|uses|using|call|calls|calling)\s{1,8}(?:the\s{1,8})?([A-Z][A-Za-z]{1,15})\b/gi;

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
 * What in a step can be meant as a tool: a first word that stands alone or before a file, what stands in backticks,
 * what is to be used by its name, and words that no sentence has by itself. Any other word of a sentence is a word:
 * "write down what you found" needs nothing.
 */
function wordsOf(step: string): Set<string> {
  const words = new Set<string>();
  if (negation.test(step)) return words;
  const add = (word: string | undefined) => {
    if (word !== undefined) words.add(word.replace(/[./-]{1,128}$/, ""));
  };
  add(actingName(step.trim()));
  for (const [, inside] of step.matchAll(quoted)) add(leadingName(inside ?? ""));
  for (const [, name] of step.matchAll(used)) if (name !== undefined && /^[A-Z]/.test(name)) add(name);
  for (const [word] of step.matchAll(plainName)) if (isDistinctive(word)) add(word);
  return words;
}

/** Names such as `write-tests` are one word: they count as a whole, and so hardly ever. */
function actingName(step: string): string | undefined {
  const first = leadingName(step);
  if (first === undefined) return undefined;
  const rest = step.slice(first.length);
  if (/^[\s.:;!]{0,8}$/.test(rest)) return first;
  const [, done = ""] = object.exec(rest) ?? [];
  return done.startsWith("`") || fileLike.test(done.replace(/[.,:;!?)"']{1,8}$/, "")) ? first : undefined;
}

function leadingName(text: string): string | undefined {
  const [first] = text.match(plainName) ?? [];
  return first !== undefined && text.startsWith(first) ? first : undefined;
}

function isDistinctive(word: string): boolean {
  return word.includes("_") || /[a-z0-9][A-Z]|[a-z0-9]-[a-z0-9]/.test(word);
}
