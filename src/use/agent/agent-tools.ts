import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { AgentHost } from "./agent-host.ts";
import type { SpawnTool } from "./spawn/spawn-tool.ts";
import type { Tool } from "./tool.ts";
import { createSkillTools, type SkillAccess } from "./tools/skill-tools.ts";

/** Tools whose writing is told as it happens, or that write nothing; of any other nobody knows what it changes. */
const watched: ReadonlySet<string> = new Set(
  "read list search write replace patch load_skill read_skill_file find_skill spawn".split(" "),
);

/** The host's, those for skills, and `spawn`: by their names, each once. */
export function agentTools(
  { tools, skills }: Pick<AgentHost, "tools" | "skills">,
  access: SkillAccess,
  spawn: SpawnTool,
  onSkillWritten: () => Promise<string>,
): ReadonlyMap<string, Tool> {
  const hooks = { onWriting: (path: string) => skills.noteWritten(path), onSkillWritten };
  const byName = new Map<string, Tool>();
  for (const tool of [...tools(hooks), ...createSkillTools(access), spawn]) {
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
