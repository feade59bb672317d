import { AppError } from "../core/error.ts";
import type { Model } from "../core/model.ts";
import { safeLine } from "../core/text.ts";
import { primaryName } from "./agent-event.ts";
import type { AgentHost, AgentModel } from "./agent-host.ts";
import type { Authority } from "./authority.ts";
import { visibleSkills } from "./skills/agent-skill.ts";
import type { SpawnHost } from "./spawn/spawn-host.ts";
import type { SpawnTool } from "./spawn/spawn-tool.ts";
import type { Tool } from "./tool.ts";
import { createSkillTools } from "./tools/skill-tools.ts";

/** Tools whose writing is told as it happens, or that write nothing; of any other nobody knows what it changes. */
const watched: ReadonlySet<string> = new Set(
  "read list search write replace patch load_skill read_skill_file find_skill spawn".split(" "),
);

/** The host's, those for skills, and `spawn`: by their names, each once. */
export function agentTools(
  { tools, skills, random, limits, route }: AgentHost,
  authority: Authority,
  spawn: SpawnTool,
  onSkillWritten: () => Promise<string>,
): ReadonlyMap<string, Tool> {
  const ofSkills = createSkillTools({
    skills,
    random,
    textBytes: limits.textBytes,
    hold: (skill, session) => authority.holdFor(skill, session),
    used: (use, skill, session) => authority.usedBy(use, skill, session),
    route: (query, signal) => route(query, visibleSkills(skills.set), signal),
  });
  const ofHost = tools({ onWriting: (path) => skills.noteWritten(path), onSkillWritten });
  const byName = new Map<string, Tool>();
  for (const tool of [...ofHost, ...ofSkills, spawn]) {
    const { name } = tool;
    if (byName.has(name))
      throw new AppError("usage.invalid", `tools: two are called "${safeLine(name)}"; give one another name`);
    byName.set(name, watched.has(name) ? tool : noted(tool, skills));
  }
  return byName;
}

/** AG-2: what such a tool leaves behind nobody vouched for, wherever it lies. */
function noted(tool: Tool, skills: AgentHost["skills"]): Tool {
  const run: Tool["run"] = (input, context) => {
    skills.noteActed();
    return tool.run(input, context);
  };
  return { ...tool, run };
}

/** The agent as the primary of its sub-agents: they have of all this less than it has. */
export function spawnHostOf(
  host: AgentHost,
  agent: Required<Pick<SpawnHost, "capabilities" | "tools" | "scope" | "onEvent">>,
): SpawnHost {
  const { model, identity, grants, ask, contracts, clock, stopwatch, timer, random, spawnLimits, onUsage } = host;
  return {
    ...agent,
    name: primaryName,
    model: (name) => (name === null ? model.model : demandNamed(model, name)),
    identity,
    grants,
    ...(ask !== null && { ask }),
    ...(contracts !== null && { contracts }),
    clock,
    stopwatch,
    timer,
    random,
    limits: spawnLimits,
    ...(onUsage !== null && { onUsage }),
  };
}

function demandNamed({ name: usual, model, named }: AgentModel, name: string): Promise<Model> | Model {
  if (name === usual) return model;
  if (named !== undefined) return named(name);
  throw new AppError("record.missing", `there is no other model than ${safeLine(usual, 80)}`);
}
