import { longestWait } from "../core/world.ts";
import { builtIns } from "../scope/built-ins.ts";
import { effectiveTools } from "../scope/effective.ts";
import type { CommandContext, PromptPart, ToolStandingView } from "./commands/command.ts";
import { Lifetime } from "./loop/lifetime.ts";
import { visibleSkills } from "./skills/agent-skill.ts";
import type { Spawner } from "./spawn/spawn.ts";
import type { TurnParts } from "./turn.ts";

/** What of the agent its commands are made from. */
interface ContextParts extends TurnParts {
  readonly spawner: Spawner;
  /** Of the agent: no line outlives it. */
  readonly life: Lifetime;
  readonly fresh: () => Promise<void>;
}

/** The agent as its commands see it. */
export function createCommandContext(agent: ContextParts): CommandContext {
  const { host, events, capabilities, authority, updates, spawner, fresh } = agent;
  return {
    skills: host.skills,
    isAttended: host.ask !== null,
    emit: (event) => events.emit(event),
    reload: () => updates.reloadQuietly(),
    confirm: async (skills, options) => void updates.changed(await host.skills.confirm(skills, options), "asked"),
    context: async () => [...(await agent.prompt()).parts, ...historyParts(agent)],
    route: (query, signal) => host.route(query, visibleSkills(host.skills.set), signal),
    spawner,
    capability: async (skill) => (await capabilities.register(skill)).id,
    builtIns: builtIns.map(({ name }) => name),
    get scope() {
      return authority.scope;
    },
    hold: (skills) => authority.hold(skills, "person"),
    release: () => authority.release(),
    tools: () => toolStandings(agent),
    rules: async () => (await host.rules?.read()) ?? { state: "none", bytes: 0, note: "" },
    confirmRules: async () => host.rules?.confirm(),
    fresh,
    compact: (signal) => compactTalk(agent, signal),
    used: (use, skill) => authority.used(use, skill, "person"),
  };
}

async function compactTalk({ host, talk, life: above }: ContextParts, signal: AbortSignal): Promise<boolean> {
  const { stopwatch, timer } = host;
  const life = new Lifetime({ stopwatch, timer, milliseconds: longestWait, above, signal });
  try {
    return await talk.compact(life, true);
  } finally {
    life.end("cancelled");
  }
}

function historyParts({ host, talk }: ContextParts): readonly PromptPart[] {
  const { messages, text } = talk.history;
  if (messages.length === 0) return [];
  const tokens = host.countTokens(text);
  return [{ what: "conversation", name: "", role: "history", bytes: Buffer.byteLength(text), tokens }];
}

function toolStandings({ tools, authority: { scope } }: ContextParts): readonly ToolStandingView[] {
  const standings = new Map(
    scope === null ? [] : effectiveTools(scope, [...tools.keys()]).map((standing) => [standing.name, standing]),
  );
  return [...tools.values()].map((tool) => {
    const { name, description: about } = tool;
    const standing = standings.get(name);
    if (standing?.decision === "deny") return { name, about, verdict: "denied", why: standing.why };
    if (standing !== undefined && standing.limited !== null)
      return { name, about, verdict: "limited", why: standing.why };
    const asks = (tool.policy?.({ tool: name }, scope) ?? "allow") !== "allow";
    return { name, about, verdict: asks ? "asks" : "allowed", why: asks ? "a person is asked first" : "" };
  });
}
