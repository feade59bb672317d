import { builtIns } from "../scope/built-ins.ts";
import { effectiveTools } from "../scope/effective.ts";
import type { Scope } from "../scope/scope.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { AgentHost } from "./agent-host.ts";
import type { CommandContext, PromptPart, ToolStandingView } from "./commands/command.ts";
import type { Prompt } from "./prompt/prompt.ts";
import type { AgentSkill, SkillChange } from "./skills/agent-skill.ts";
import type { SkillCapabilities } from "./skills/capabilities.ts";
import { visibleSkills } from "./skills/visible-skills.ts";
import type { Lifetime } from "./spawn/lifetime.ts";
import type { Spawner } from "./spawn/spawn.ts";
import type { History } from "./talk/history.ts";
import { messageText } from "./talk/message-text.ts";
import type { Tool } from "./tool.ts";

/** What of the agent its commands are made from. */
interface ContextRoom {
  readonly host: AgentHost;
  readonly life: Lifetime;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly spawner: Spawner;
  readonly capabilities: SkillCapabilities;
  readonly emit: (event: AgentEvent) => void;
  readonly prompt: () => Promise<Prompt>;
  readonly history: () => History;
  readonly scope: () => Scope | null;
  readonly reload: () => Promise<SkillChange>;
  readonly confirm: CommandContext["confirm"];
  readonly hold: (skills: readonly AgentSkill[]) => Promise<void>;
  readonly release: () => Promise<void>;
  readonly fresh: () => Promise<void>;
  readonly compact: () => Promise<boolean>;
  readonly used: (use: "invoked" | "routed", skill: AgentSkill) => void;
}

/** The agent as its commands see it. */
export function commandContext(room: ContextRoom): CommandContext {
  const { host, life, capabilities } = room;
  return {
    skills: host.skills,
    isAttended: host.ask !== null,
    emit: room.emit,
    signal: life.signal,
    reload: room.reload,
    confirm: room.confirm,
    context: async () => [...(await room.prompt()).parts, ...historyParts(room)],
    route: (query) => host.route(query, visibleSkills(host.skills.set), life.signal),
    spawner: room.spawner,
    capability: async (skill) => (await capabilities.register(skill)).id,
    builtIns: builtIns.map(({ name }) => name),
    get scope() {
      return room.scope();
    },
    hold: room.hold,
    release: room.release,
    tools: () => toolStandings(room),
    rules: async () => (await host.rules?.read()) ?? { state: "none", bytes: 0, note: "" },
    confirmRules: async () => host.rules?.confirm(),
    fresh: room.fresh,
    compact: room.compact,
    used: room.used,
  };
}

function historyParts({ host, history }: ContextRoom): readonly PromptPart[] {
  const { messages } = history();
  if (messages.length === 0) return [];
  const text = messages.map(messageText).join("\n");
  const tokens = host.countTokens(text);
  return [{ what: "conversation", name: "", role: "history", bytes: Buffer.byteLength(text), tokens }];
}

function toolStandings({ tools, scope: scopeOf }: ContextRoom): readonly ToolStandingView[] {
  const scope = scopeOf();
  const standings = new Map(
    scope === null ? [] : effectiveTools(scope, [...tools.keys()]).map((standing) => [standing.name, standing]),
  );
  return [...tools.values()].map((tool) => {
    const { name, description: about } = tool;
    const standing = standings.get(name);
    if (standing?.decision === "deny") return { name, about, verdict: "denied", why: standing.why };
    const word = tool.policy?.({ tool: name }, scope) ?? "allow";
    const asks = word !== "allow";
    if (standing !== undefined && standing.limited !== null)
      return { name, about, verdict: "limited", why: standing.why };
    return { name, about, verdict: asks ? "asks" : "allowed", why: asks ? "a person is asked first" : "" };
  });
}
