import { type Digest, sha256 } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { Message, ToolSpec } from "../../core/model.ts";
import { createBoundary, defuse, markersOf } from "../../compose/defuse.ts";
import { injectMessages } from "../../compose/inject.ts";
import { renderRules } from "../../scope/rules.ts";
import type { Scope } from "../../scope/scope.ts";
import { primaryName } from "../agent-event.ts";
import type { AgentHost, AttachedSkills } from "../agent-host.ts";
import type { PromptPart } from "../commands/command.ts";
import type { SkillSet } from "../skills/agent-skill.ts";
import { visibleDigests } from "../skills/changes.ts";
import { advisedSteps, stepsIntro, toolSpecs } from "../spawn/spawn-prompt.ts";
import type { Tool } from "../tool.ts";
import { renderSkillSection, type SkillSection } from "./skill-section.ts";

/** Everything that a prompt is made from, at one moment. */
export interface PromptSources {
  readonly set: SkillSet;
  readonly scope: Scope | null;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly attached: AttachedSkills;
}

/** What stands before a conversation. The same sources give the same bytes (AG-3). */
export interface Prompt {
  readonly system: string;
  /** For the first user message; empty when there is nothing. */
  readonly block: string;
  readonly tools: readonly ToolSpec[];
  readonly generation: number;
  /** What the model can see of skills, by alias. */
  readonly visible: ReadonlyMap<string, string>;
  readonly digest: Digest;
  readonly parts: readonly PromptPart[];
  readonly findings: readonly Finding[];
  /** Told right before it leaves. */
  readonly onSent: () => void;
}

type PromptHost = Pick<AgentHost, "identity" | "rules" | "inject" | "key" | "budget" | "skills" | "countTokens">;

export const nothingAttached: AttachedSkills = {
  system: "",
  block: "",
  parts: [],
  findings: [],
  scope: null,
  onSent: () => {},
};

/** AG-3: who it is, the project's rules, the rules of the scope, the skills. Made afresh before every model call. */
export async function buildPrompt(host: PromptHost, { set, scope, tools, attached }: PromptSources): Promise<Prompt> {
  const rules = host.rules === null ? "" : (await host.rules.read()).text;
  const section = await renderSkillSection(host, set);
  const scopeRules = scope === null ? "" : renderRules(scope, [...tools.keys()]);
  const projectRules = rules === "" ? "" : `## Project rules\n${rules.trimEnd()}`;
  const steps = renderSteps(host.key, scope);
  const specs = toolSpecs(scope, tools);
  const system = joined([host.identity, projectRules, scopeRules, attached.system, section.system]);
  const block = joined([attached.block, section.block, steps.block]);
  const part = (what: string, role: PromptPart["role"], text: string, name = ""): PromptPart[] =>
    text === "" ? [] : [{ what, name, role, bytes: Buffer.byteLength(text), tokens: host.countTokens(text) }];
  return {
    system,
    block,
    tools: specs,
    generation: set.generation,
    visible: visibleDigests(set),
    digest: sha256(Buffer.from(JSON.stringify([system, block, specs]))),
    parts: [
      ...part("identity", "system", host.identity),
      ...part("project rules", "system", projectRules),
      ...part("scope rules", "system", scopeRules),
      ...part("advised steps", "user", steps.block),
      // Four bytes are about a token: the text itself is the composer's.
      ...attached.parts.map(({ name, place: role, bytes }) => {
        return { what: "attached skill", name, role, bytes, tokens: Math.ceil(bytes / 4) };
      }),
      ...section.parts.flatMap(({ alias, place, text }) => part("skill", place, text, alias)),
      ...framePart(host, section),
      ...part("tools", "tools", specs.length === 0 ? "" : JSON.stringify(specs)),
    ],
    findings: [...attached.findings, ...section.findings, ...steps.findings],
    onSent: attached.onSent,
  };
}

/** What the section takes beside the skills in it: headings, markers, our words about them. */
function framePart({ countTokens }: PromptHost, { system, block, parts }: SkillSection): PromptPart[] {
  const whole = system + block;
  const bytes = Buffer.byteLength(whole) - sum(parts.map(({ text }) => Buffer.byteLength(text)));
  const tokens = countTokens(whole) - sum(parts.map(({ text }) => countTokens(text)));
  if (whole === "" || bytes <= 0) return [];
  return [{ what: "skills, their frame", name: "", role: "system", bytes, tokens: Math.max(0, tokens) }];
}

/** The messages of one model call. The history itself stays free of what stands before it (AG-3, CO-12). */
export function messagesFor({ system, block }: Prompt, history: readonly Message[]): readonly Message[] {
  const { messages } = injectMessages(history, { block, systemBlock: "" });
  return [{ role: "system", content: system }, ...messages];
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** SC-6: steps that are sentences, fenced, for the user's role. The same steps are the same bytes (AG-3). */
function renderSteps(
  key: Uint8Array,
  scope: Scope | null,
): { readonly block: string; readonly findings: readonly Finding[] } {
  const { lines, findings } = advisedSteps(scope, primaryName);
  if (lines.length === 0) return { block: "", findings };
  const defused = lines.map((line) => defuse(line).text);
  const { boundary, begin, end } = markersOf(createBoundary(key, ["steps", defused], defused));
  const head = `${stepsIntro} They stand between the begin and end markers with the boundary ${boundary}.`;
  return { block: [head, begin, ...defused, end].join("\n"), findings };
}
