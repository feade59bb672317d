import fc from "fast-check";
import { canonicalTools, type ToolCall } from "../../src/scope/tools/tools.ts";
import type { CapabilitySkill } from "../../src/scope/capability.ts";
import { composeScope } from "../../src/scope/compose-scope.ts";
import { readDefinition } from "../../src/scope/definition.ts";
import type { HostPolicy, HostWord } from "../../src/scope/gate.ts";

/** Random skill sets, scopes, hosts and calls for the laws of scopes. The seed is fixed. */

/** Plain names, aliases, patterns that lie inside each other or apart, and entries in no known form. */
export const entries = [
  ..."read Read list Glob search write Write edit Edit MultiEdit replace patch shell Bash execute mcp__hub__post".split(
    " ",
  ),
  ..."mcp__hub__get Bash(git:*) Bash(npm:*) Bash(*) Edit(src/**) Edit(src/a/*) Edit(**) patch(src/**)".split(" "),
  ..."Read(docs/**) Read(docs/a.md) Read(**) LS(src) mcp__hub__* Bash(git*) Bash() Edit(../x) READ".split(" "),
  "Bash(git status)",
  "Bash(git log:*)",
  "Bash(npm run test)",
  "no form at all",
  "Read(a",
  "r\u0435ad",
];
const commands = [
  "git",
  "git status",
  "git log -1",
  "npm run test",
  "npm run 'a b'",
  "ls",
  "git status; ls",
  "git -c a=b x",
  "",
];
const paths = [
  [],
  ["src"],
  ["src/a/b.ts"],
  ["src/c.ts", "docs/a.md"],
  ["docs/a.md"],
  ["DOCS/b.md"],
  ["../x"],
  ["x.ts"],
  ["."],
];
export const catalogue =
  "read list search write edit replace patch shell Bash execute mcp__hub__post mcp__hub__get READ late".split(" ");
export const calls: readonly ToolCall[] = catalogue.flatMap((tool) => [
  { tool },
  ...(canonicalTools(tool).includes("shell") ? commands.map((command) => ({ tool, command })) : []),
  ...paths.map((each) => ({ tool, paths: each })),
]);
export const allows: HostPolicy = { catalogue: new Set(catalogue), word: () => "allow" };
export const run = { seed: 8, numRuns: 200 };

const names = ["a", "b", "c", "d", "e"];
export const someEntries = fc.subarray(entries, { maxLength: 14 });
/** Mostly a few entries that forbid, or nothing would ever be left to look at. */
const fewEntries = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(entries, { maxLength: 2 }));
export const skill = fc
  .record({
    name: fc.constantFrom(...names),
    source: fc.constantFrom("team", "other"),
    allowedTools: fc.oneof({ weight: 3, arbitrary: someEntries }, fc.constant("*" as const)),
    forbiddenTools: fewEntries,
    requires: fc.subarray(names, { maxLength: 3 }),
    executionProtocol: fc.subarray(["plan", "do-it", "Look at it.", "check"], { maxLength: 3 }),
  })
  .map(skillOf);
export const skills = fc.uniqueArray(skill, { maxLength: 5, selector: ({ id }) => id });
export const someSkills = fc.uniqueArray(skill, { minLength: 1, maxLength: 5, selector: ({ id }) => id });
export const isStrict = fc.boolean();
export const scope = fc.tuple(skills, isStrict).map(([set, strict]) => composeScope(set, { strict }));
const words: readonly HostWord[] = ["allow", "ask", "ask-always", "deny"];
export const host = fc
  .tuple(fc.subarray(catalogue), fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 5 }))
  .map(
    ([tools, said]): HostPolicy => ({ catalogue: new Set(tools), word: ({ tool }) => said[tool.length % 5] ?? "deny" }),
  );

interface Drawn {
  readonly name: string;
  readonly source: string;
  readonly allowedTools: "*" | readonly string[];
  readonly forbiddenTools: readonly string[];
  readonly requires: readonly string[];
  readonly executionProtocol: readonly string[];
}

export function skillOf({ source, requires, ...drawn }: Drawn): CapabilitySkill {
  const compatibilityRules = requires.map((target) => ({ type: "requires", skill: target, reason: null }));
  const { skill: read } = readDefinition({ ...drawn, description: "Drawn.", compatibilityRules }, { source });
  if (read === undefined) throw new Error("not a definition");
  return read;
}
