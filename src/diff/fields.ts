import { canonicalJson, type Plain } from "../core/canonical.ts";
import type { Skill } from "../skill/skill.ts";
import type { SkillScope } from "../skill/sidecars.ts";
import { visibleText } from "./visible.ts";
import type { BundleDiff, FieldChange } from "./diff.ts";

/** What of a value is shown. */
const longestValue = 2000;
/** Where two values are long, this much of what they have in common is shown before they part. */
const before = 100;
const mostFields = 500;

/** The values that changed: the front-matter's as they stand there, then those of scope.yaml. */
export function fieldChanges(old: Skill | undefined, now: Skill): readonly FieldChange[] {
  const [was, is] = [old === undefined ? new Map<string, string>() : fieldsOf(old), fieldsOf(now)];
  const names = [...new Set([...is.keys(), ...was.keys()])].filter((name) => was.get(name) !== is.get(name));
  return names.slice(0, mostFields).map((name) => {
    const [first, second] = [was.get(name) ?? null, is.get(name) ?? null];
    const start = startOf(first ?? "", second ?? "");
    return {
      field: visibleText(name.slice(0, longestValue)),
      before: shown(first, start),
      after: shown(second, start),
    };
  });
}

function fieldsOf({ frontmatter, scope }: Skill): ReadonlyMap<string, string> {
  const fields = Object.entries(frontmatter).map(([key, value]) => [nameOf(key), canonicalJson(value)] as const);
  return new Map([...fields, ...scopeFields(scope)]);
}

/** No key of a front-matter may pass for one of scope.yaml: an odd one stands in quotes. */
function nameOf(key: string): string {
  return key !== "scope" && /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** By the names that scope.yaml has for them. A list that is empty is as good as none, but for what is allowed. */
function scopeFields(scope: SkillScope): (readonly [string, string])[] {
  if (scope.state === "none") return [];
  if (scope.state === "unusable") return [["scope", canonicalJson("unusable")]];
  const { declaration } = scope;
  const values: Readonly<Record<string, Plain>> = {
    version: declaration.version,
    allowed_tools: declaration.allowedTools,
    forbidden_tools: declaration.forbiddenTools,
    execution_protocol: declaration.executionProtocol,
    preconditions: declaration.preconditions,
    postconditions: declaration.postconditions,
    output_contract: declaration.outputContract,
    compatibility_rules: declaration.compatibilityRules.map(ruleOf),
    composability_rules: declaration.composabilityRules.map(ruleOf),
  };
  return Object.entries(values)
    .filter(
      ([name, value]) => name === "allowed_tools" || (value !== null && !(Array.isArray(value) && value.length === 0)),
    )
    .map(([name, value]) => [`scope.${name}`, canonicalJson(value)]);
}

function ruleOf({ type, skill, reason }: { type: string; skill: string; reason: string | null }): Plain {
  return { type, skill, reason };
}

/** Long values are shown from where they part: two of them must never look the same and be different. */
function startOf(first: string, second: string): number {
  if (Math.max(first.length, second.length) <= longestValue) return 0;
  let common = 0;
  while (common < first.length && first[common] === second[common]) common++;
  const start = Math.max(0, common - before);
  return /[\udc00-\udfff]/.test(first.charAt(start)) ? start - 1 : start;
}

function shown(value: string | null, start: number): string | null {
  if (value === null) return null;
  const end = start + longestValue;
  return (start > 0 ? "…" : "") + visibleText(value.slice(start, end)) + (end < value.length ? "…" : "");
}

/** The tools that are asked for now and were not, and the other way round. */
export function toolChanges(old: Skill | undefined, now: Skill | undefined): BundleDiff["tools"] {
  const [was, is] = [toolsOf(old), toolsOf(now)];
  return { added: is.filter((tool) => !was.includes(tool)), removed: was.filter((tool) => !is.includes(tool)) };
}

function toolsOf(skill: Skill | undefined): readonly string[] {
  return [...new Set(skill?.manifest.allowedTools ?? [])].map(visibleText);
}
