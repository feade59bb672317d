import { AppError } from "../../base/error.ts";
import { parsePattern } from "../../base/tools/patterns.ts";
import { canonicalTools, displayName } from "../../base/tools/tools.ts";
import type { App } from "../app.ts";
import { lookAtScope, type AskedScope, type ScopeSet } from "./scope-set.ts";
import { storedCandidates } from "./stored-candidates.ts";

/** What a set of approved skills comes to, by whoever asks through a door without a workspace of its own. */
export async function storedScope(app: App, asked: Omit<AskedScope, "forbidden">): Promise<ScopeSet> {
  const { tools, ...others } = asked;
  const named = tools === undefined ? {} : { tools: demandTools(tools, "tools") };
  return lookAtScope(await storedCandidates(app, asked.names), { ...others, ...named });
}

/** Names of tools; of an entry as a skill would write it, the tool that it is about. `where` they were typed. */
export function demandTools(entries: readonly string[], where: string): readonly string[] {
  const tools = entries.map((entry) => (canonicalTools(entry).length > 0 ? entry : nameIn(entry)));
  if (tools.length > 0 && tools.every((tool) => tool !== undefined)) return tools;
  throw new AppError("usage.invalid", `${where}: expected names of tools, such as read and Bash`);
}

function nameIn(entry: string): string | undefined {
  const tools = parsePattern(entry)?.tools;
  return tools === undefined ? undefined : displayName(tools);
}
