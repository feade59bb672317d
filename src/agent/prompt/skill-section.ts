import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { limits } from "../../core/limits.ts";
import { skillFile } from "../../skill/bundle.ts";
import { type CatalogueEntry, renderCatalogue } from "../../compose/catalogue.ts";
import { compose } from "../../compose/compose.ts";
import type { Material } from "../../compose/composition.ts";
import type { Selection } from "../../compose/select.ts";
import { agentFinding } from "../agent-faults.ts";
import type { AgentHost } from "../agent-host.ts";
import { type AgentSkill, type OpenedSkill, type SkillSet, visibleSkills } from "../skills/agent-skill.ts";

/** What of the skills stands in a prompt: a section of the system prompt, and a block for the first user message. */
export interface SkillSection {
  readonly system: string;
  readonly block: string;
  /** What each skill takes: of those that are in the texts, and one in both has two. */
  readonly parts: readonly { readonly alias: string; readonly place: "system" | "user"; readonly text: string }[];
  readonly findings: readonly Finding[];
}

type SectionHost = Pick<AgentHost, "inject" | "key" | "budget" | "skills">;

const heading = "## Available Skills";

/** Below it nothing of a skill is in a system message, but a name of the public form (invariant 2). */
const systemFloor = "first_party";

/** AG-3. No skills, no section; the same set gives the same bytes (CO-11). */
export function renderSkillSection(host: SectionHost, set: SkillSet): Promise<SkillSection> | SkillSection {
  const visible = visibleSkills(set);
  return host.inject === "bodies" ? bodiesSection(host, visible) : catalogueSection(host, visible);
}

const howToLoad =
  "Load a skill with load_skill before you work on what it is for, and read its files with read_skill_file. The user may also apply one.";

function catalogueSection({ key }: SectionHost, visible: readonly AgentSkill[]): SkillSection {
  const confirmed = visible.filter(({ standing }) => standing === "confirmed");
  const own = visible.filter(({ standing }) => standing === "session");
  const approved = renderCatalogue(confirmed.map(catalogueEntry), { key, systemFloor });
  // What the agent wrote is in the user's role as a whole, its name too.
  const written = renderCatalogue(own.map(catalogueEntry), { key, systemFloor });
  const shown = [...approved.shown, ...written.shown.filter(({ place }) => place === "user")];
  const aliases = aliasesOf(visible);
  const hasAny = approved.system !== "" || approved.block !== "" || written.block !== "";
  const system = hasAny ? [heading, howToLoad, ...some(approved.system)].join("\n") : "";
  return {
    system,
    block: [...some(approved.block), ...some(written.block)].join("\n\n"),
    parts: shown.map(({ entry, place, text }) => ({ alias: aliases.get(entry) ?? entry, place, text })),
    findings: [...approved.findings, ...written.findings],
  };
}

function catalogueEntry({ entry, alias, description, trust }: AgentSkill): CatalogueEntry {
  return { entry, name: alias, description, trust };
}

function aliasesOf(skills: readonly AgentSkill[]): ReadonlyMap<EntryId, string> {
  return new Map(skills.map(({ entry, alias }) => [entry, alias]));
}

/** More whole skills than this are in no budget. */
const mostBodies = 256;

async function bodiesSection(host: SectionHost, visible: readonly AgentSkill[]): Promise<SkillSection> {
  const considered = visible.slice(0, mostBodies);
  const opened: OpenedSkill[] = [];
  const findings: Finding[] = [];
  for (const skill of considered) {
    const result = await openForPrompt(host, skill);
    if ("code" in result) findings.push(result);
    else opened.push(result);
  }
  if (visible.length > considered.length) {
    const message = `${considered.length} of ${visible.length} skills were considered for the prompt`;
    findings.push(agentFinding("agent.bodies-cut", "skills", message));
  }
  const selection: Selection = {
    // The agent's own writing is untrusted: it stays below the floor, and so in the user's block.
    chosen: opened.map(({ of: { entry, digest, trust, grants } }) => {
      return { entry, via: "configuration" as const, digest: digest ?? "", trust, grants };
    }),
    dropped: [],
    findings: [],
  };
  const materials = new Map(opened.map(({ of, bundle }) => [of.entry, materialOf(bundle.files)]));
  const composition = compose(selection, materials, {
    key: host.key,
    configuration: "agent",
    placement: "system",
    systemFloor,
    budget: Math.min(host.budget, limits.budget),
    canReadFiles: true,
  });
  const texts = new Map(opened.map(({ of, skill }) => [of.entry, skill.body]));
  const aliases = aliasesOf(considered);
  return {
    system: composition.systemBlock === "" ? "" : `${heading}\n${composition.systemBlock}`,
    block: composition.block,
    parts: composition.included.map(({ entry, place }) => ({
      alias: aliases.get(entry) ?? entry,
      place,
      text: texts.get(entry) ?? "",
    })),
    findings: [...findings, ...composition.findings],
  };
}

async function openForPrompt({ skills }: SectionHost, skill: AgentSkill): Promise<OpenedSkill | Finding> {
  try {
    return await skills.open(skill);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return agentFinding("agent.left-out", skill.entry, `${skill.alias} is not in the prompt: ${error.message}`);
  }
}

function materialOf(files: OpenedSkill["bundle"]["files"]): Material {
  return {
    files: files.map(({ path, digest }) => ({ path, digest })),
    skill: files.find(({ path }) => path === skillFile)?.bytes,
    faults: [],
  };
}

function some(text: string): readonly string[] {
  return text === "" ? [] : [text];
}
