import type { Finding } from "../core/finding.ts";
import { compareTexts } from "../core/text.ts";
import type { CapabilitySkill } from "./capability.ts";
import { leavesNothing } from "./empty.ts";
import { byId, deepFrozen } from "./lists.ts";
import { forbidsAll, forbidsEvery } from "./path-entries.ts";
import type { ComposeScopeOptions } from "./registry.ts";
import { scopeFinding } from "./scope-faults.ts";
import { hasPrefix } from "./tools/calls.ts";
import { isServerAlone, whyUnknown } from "./tools/patterns.ts";
import { canonicalTools, displayName, type ForbiddenTool, hostTools } from "./tools/tools.ts";
import type { Catalogue } from "./validate.ts";

/** What is worth knowing of a set before it is used, each thing once, in the order of the skills (SC-4). */
export function setFindings(
  skills: readonly CapabilitySkill[],
  catalogue: Catalogue | null,
  options: ComposeScopeOptions,
): Finding[] {
  const held = skills.toSorted(byId);
  const isTool = toolsIn(held, catalogue);
  const findings = held.flatMap((skill) => [
    ...skillFindings(skill),
    ...stepFindings(skill, isTool),
    ...(catalogue === null ? [] : unknownForbidden(skill, catalogue)),
  ]);
  const isEmpty = held.length > 0 && leavesNothing(held, catalogue?.names ?? null, options);
  return isEmpty ? [...findings, emptyFinding(held)] : findings;
}

/** What the host or anybody of the set takes for a tool. */
function toolsIn(skills: readonly CapabilitySkill[], catalogue: Catalogue | null): (tool: string) => boolean {
  let named: ReadonlySet<string> | null = null;
  return (tool) => {
    named ??= new Set(skills.flatMap(namedBy));
    return catalogue?.tools.has(tool) === true || named.has(tool);
  };
}

function stepFindings(skill: CapabilitySkill, isTool: (tool: string) => boolean): Finding[] {
  return stepWords(skill)
    .others.filter(({ tools }) => tools.some(isTool))
    .map((word) => stepFinding(skill, word));
}

function unknownForbidden({ id, forbidden }: CapabilitySkill, { tools }: Catalogue): Finding[] {
  return forbidden
    .filter((entry) => !isKnown(entry, tools))
    .map(({ text }) =>
      scopeFinding("scope.unknown-forbidden", id, "this host has no tool that this entry forbids", text),
    )
    .toSorted((a, b) => compareTexts(a.excerpt ?? "", b.excerpt ?? ""));
}

function isKnown({ reach }: ForbiddenTool, tools: ReadonlySet<string>): boolean {
  if (reach.kind === "everything") return true;
  if (reach.kind === "prefix") return [...tools].some((tool) => hasPrefix(tool, reach.prefix));
  return reach.tools.some((tool) => tools.has(tool));
}

function emptyFinding(held: readonly CapabilitySkill[]): Finding {
  const others = held.length - 1;
  const who = others === 0 ? "the skill alone leaves" : `the skill and ${others} more together leave`;
  return scopeFinding("scope.empty", held[0]?.id ?? "", `${who} no tool that could be called`);
}

const said = new WeakMap<CapabilitySkill, readonly Finding[]>();

/** What is to be said of a skill for itself, whatever it is used with (SC-4). Nothing of it refuses the skill. */
export function skillFindings(skill: CapabilitySkill): readonly Finding[] {
  const known = said.get(skill);
  if (known !== undefined) return known;
  const findings = deepFrozen([
    ...unreadAllowed(skill),
    ...serversAllowed(skill),
    ...widerForbidden(skill),
    ...overlapping(skill),
    ...stepWords(skill).tools.map((word) => stepFinding(skill, word)),
  ]);
  said.set(skill, findings);
  return findings;
}

function stepFinding({ id }: CapabilitySkill, { step, text, word }: StepWord): Finding {
  const message = `step ${step} of the protocol needs "${word}", which the skill itself does not leave`;
  return scopeFinding("scope.protocol-tool", id, message, text);
}

function unreadAllowed({ id, allowed, allowedTools }: CapabilitySkill): Finding[] {
  if (allowed === "*" || allowedTools === "*") return [];
  const read = new Set(allowed.map(({ text }) => text));
  return [...new Set(allowedTools)]
    .filter((tool) => !read.has(tool))
    .map((tool) => {
      const hint = tool === "*" ? "; write '*' alone in place of the list" : "";
      return scopeFinding("scope.pattern", id, `this entry allows nothing: ${whyUnknown(tool)}${hint}`, tool);
    });
}

/** A tool may have such a name, so that the entry stays; mostly all tools of the server are meant. */
function serversAllowed({ id, allowed }: CapabilitySkill): Finding[] {
  if (allowed === "*") return [];
  return allowed
    .filter(({ text }) => isServerAlone(text))
    .map(({ text }) =>
      scopeFinding("scope.pattern", id, "this entry names a server, not a tool; name its tools", text),
    );
}

function widerForbidden({ id, forbidden }: CapabilitySkill): Finding[] {
  return forbidden.flatMap((entry) => {
    const wider = widerThanWritten(entry);
    if (wider !== null) return scopeFinding("scope.pattern", id, `this entry forbids ${wider}`, entry.text);
    const begins = readAsServer(entry);
    if (begins === null) return [];
    const message = `this entry forbids every tool whose name begins with ${begins}`;
    return { ...scopeFinding("scope.pattern", id, message, entry.text), level: "info" };
  });
}

/** A server without a star says what it says, and may still have been meant as one tool. */
function readAsServer({ text, reach }: ForbiddenTool): string | null {
  return reach.kind === "prefix" && !text.endsWith("*") ? reach.prefix : null;
}

function widerThanWritten({ text, reach }: ForbiddenTool): string | null {
  if (reach.kind === "everything") return "every tool: its form is not known";
  if (reach.kind === "paths" || !text.includes("(")) return null;
  const whole = reach.kind === "tools" ? displayName(reach.tools) : `${reach.prefix}*`;
  return `all of ${whole}, not only what stands in parentheses`;
}

/** Of each allowed entry the first forbidden one that takes all of it. What takes a part is an exception, and meant. */
function overlapping({ id, allowed, forbidden }: CapabilitySkill): Finding[] {
  if (allowed === "*") return [];
  return allowed.flatMap((pattern) => {
    const against = forbidden.find((entry) => entry.text === pattern.text || forbidsEvery(entry, pattern));
    if (against === undefined) return [];
    return scopeFinding("scope.overlap", id, `what this entry allows, "${against.text}" forbids`, pattern.text);
  });
}

/** A word of a step that would be a tool the skill does not leave, if it is a tool at all. */
interface StepWord {
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
interface StepWords {
  /** Tools for certain: our own in whatever spelling, and what the skill itself names. */
  readonly tools: readonly StepWord[];
  /** Tools only where somebody else knows them. */
  readonly others: readonly StepWord[];
}

const looked = new WeakMap<CapabilitySkill, StepWords>();

/** Looked for once in each skill; each word counts once (SC-4). */
function stepWords(skill: CapabilitySkill): StepWords {
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
function namedBy(skill: CapabilitySkill): readonly string[] {
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
