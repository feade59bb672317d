import type { Finding } from "../../base/finding.ts";
import { longestWait } from "../../base/world.ts";
import { AgentCalls } from "./agent-calls.ts";
import type { AgentEvent } from "./agent-event.ts";
import { AgentEvents } from "./agent-events.ts";
import { agentFinding } from "./agent-faults.ts";
import type { AgentHost } from "./agent-host.ts";
import { spawnHostOf } from "./agent-spawning.ts";
import { agentTools } from "./agent-tools.ts";
import type { AgentState, Completions, PrimaryAgent } from "./agent.ts";
import { Authority } from "./authority.ts";
import { type Commands, createCommands } from "./commands/registry.ts";
import type { CommandContext } from "./commands/command.ts";
import { commandContext } from "./core-context.ts";
import { buildPrompt, type Prompt } from "./prompt/prompt.ts";
import { SkillWatch } from "./skill-watch.ts";
import type { SkillChange } from "./skills/agent-skill.ts";
import { SkillCapabilities } from "./skills/capabilities.ts";
import { describeChange } from "./skills/describe-change.ts";
import { announceChange, unconfirmedSkills, visibleDigests, visibleSkills } from "./skills/visible-skills.ts";
import { Lifetime } from "./spawn/lifetime.ts";
import type { Spawned, SpawnRequest } from "./spawn/spawn.ts";
import { reasonOf } from "./spawn/spawn-faults.ts";
import { createSpawner, type InProcessSpawner } from "./spawn/spawner.ts";
import { longestLeaving, Working } from "./spawn/working.ts";
import type { Invocation } from "./talk/conversation.ts";
import { KeptTalk } from "./talk/kept-talk.ts";
import type { Tool } from "./tool.ts";
import { compactTalk, takeTurn, type TurnRoom } from "./turn.ts";

type ReloadWhy = Extract<AgentEvent, { type: "skills.changed" }>["why"];

/** An agent that works in a folder, with the skills of it. What a person says comes in, and events come out. */
export class AgentCore implements PrimaryAgent {
  readonly #host: AgentHost;
  readonly #events = new AgentEvents();
  readonly #talk: KeptTalk;
  readonly #tools = new Map<string, Tool>();
  readonly #capabilities: SkillCapabilities;
  readonly #authority: Authority;
  readonly #spawner: InProcessSpawner;
  readonly #calls: AgentCalls;
  readonly #commands: Commands;
  readonly #watch: SkillWatch | null;
  readonly #working = new Working();
  readonly #life = new Lifetime();
  /** The visible skills as the model was last told of them. */
  #announced: ReadonlyMap<string, string>;
  #tokens = 0;
  #closing: Promise<void> | null = null;

  /** Throws `usage.invalid` for a host that is none. `begin` comes before the first line. */
  constructor(host: AgentHost) {
    this.#host = host;
    this.#talk = new KeptTalk(host, this.#events);
    this.#capabilities = new SkillCapabilities(host.skills, host.contracts !== null, (finding) =>
      this.#events.findOnce(finding),
    );
    this.#authority = new Authority(host, this.#capabilities, this.#events, this.#talk);
    const spawnHost = spawnHostOf(host, {
      capabilities: this.#capabilities.live,
      tools: this.#tools,
      // What the workspace forbids is in it already.
      scope: () => this.#authority.scope,
      onEvent: (event) => this.#calls.heed(event),
    });
    this.#spawner = createSpawner(spawnHost);
    for (const [name, tool] of this.#allTools()) this.#tools.set(name, tool);
    this.#calls = new AgentCalls({
      host,
      spawnHost,
      tools: this.#tools,
      emit: (event) => this.#events.emit(event),
      scope: () => this.#authority.scope,
      skillGrants: () => this.#authority.grants(),
      working: this.#working,
    });
    this.#commands = createCommands(host.commands, host.completions);
    this.#announced = visibleDigests(host.skills.set);
    const { watching, timer, stopwatch } = host;
    this.#watch = watching === null ? null : new SkillWatch({ watching, timer, stopwatch }, () => this.reloadWatched());
  }

  /** Puts into force what holds from the beginning, and begins to watch. */
  async begin(): Promise<void> {
    await this.#authority.begin();
    this.#watchFolders();
    const messages = this.#talk.history.messages.length;
    if (messages > 0) this.#events.emit({ type: "conversation", id: this.#talk.id, is: "resumed", messages });
  }

  async *say(line: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<AgentEvent, void, void> {
    if (this.#events.isRead || this.#life.endedBy() !== null) {
      yield refusal(this.#events.isRead ? "the agent is still at work; one line at a time" : "the agent is closed");
      return;
    }
    const { stopwatch, timer } = this.#host;
    const life = new Lifetime({ stopwatch, timer, milliseconds: longestWait, above: this.#life, signal });
    const queue = this.#events.begin();
    const work = this.#work(line, life).finally(() => this.#events.end());
    try {
      yield* queue;
    } finally {
      life.end("cancelled");
      await work;
    }
  }

  async spawn(request: SpawnRequest): Promise<Spawned> {
    await this.#capabilities.refresh();
    return this.#spawner.spawn(request);
  }

  complete(line: string): Completions {
    return this.#commands.complete(this.#host, line);
  }

  get state(): AgentState {
    const { model, skills, workspace } = this.#host;
    return {
      model: model.name,
      skills: skills.set.skills.length,
      unconfirmed: unconfirmedSkills(skills.set).length,
      generation: skills.set.generation,
      tokens: this.#tokens,
      held: this.#authority.held,
      conversation: this.#talk.id,
      messages: this.#talk.history.messages.length,
      workspace,
    };
  }

  get findings(): readonly Finding[] {
    return [...this.#host.findings, ...this.#host.skills.set.findings, ...this.#events.early];
  }

  onEvent(listener: (event: AgentEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  async loadSkills(root: string): Promise<SkillChange> {
    const { skills, openRoot } = this.#host;
    return this.#changed(await skills.loadSkills(await openRoot(root)), "asked");
  }

  reloadSkills(): Promise<SkillChange> {
    return this.#reload("asked");
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#watch?.close();
    this.#life.end("cancelled");
    await this.#spawner.close();
    await this.#working.idleWithin(longestLeaving, this.#host.timer);
    await this.#talk.save();
    await this.#host.onClosed();
  }

  /** One line of a person, from beginning to end. Never rejects. */
  async #work(line: string, life: Lifetime): Promise<void> {
    try {
      const result = await this.#commands.run(this.#context(life), line);
      if (result.is === "leave") this.#events.emit({ type: "leave" });
      else if (result.is === "reply") this.#events.emit({ type: "reply", command: line, reply: result.reply });
      else await this.#answer(result.text, result.invocations, life);
    } catch (error) {
      if (life.endedBy() !== null) this.#events.emit({ type: "turn.ended", end: "cancelled" });
      else this.#events.emit(refusal(reasonOf(error, "something failed that was not expected to")));
    }
  }

  async #answer(text: string, invocations: readonly Invocation[], life: Lifetime): Promise<void> {
    const { generation } = this.#host.skills.set;
    this.#events.emit({ type: "turn.started", message: text, generation });
    const end = await takeTurn(this.#room(), text, invocations, life);
    this.#events.emit({ type: "turn.ended", end });
  }

  #room(): TurnRoom {
    return {
      host: this.#host,
      events: this.#events,
      talk: this.#talk,
      calls: this.#calls,
      prompt: () => this.#prompt(),
      announce: (prompt) => this.#announce(prompt),
      onTokens: (tokens) => {
        this.#tokens = tokens;
      },
    };
  }

  /** AG-3: of the set and the scope as they are at this moment. */
  async #prompt(): Promise<Prompt> {
    await this.#capabilities.refresh();
    const attached = await this.#authority.readAttached();
    const { set } = this.#host.skills;
    const prompt = await buildPrompt(this.#host, { set, scope: this.#authority.scope, tools: this.#tools, attached });
    for (const finding of prompt.findings) this.#events.findOnce(finding);
    return prompt;
  }

  /** AG-3: said once, behind what the person said, of the very set that the prompt is of. */
  #announce({ visible }: Prompt): string {
    const said = announceChange(this.#announced, visible);
    this.#announced = visible;
    return said;
  }

  async #fresh(): Promise<void> {
    await this.#talk.renew();
    this.#tokens = 0;
    await this.#authority.renew();
    await this.#reload("asked");
    this.#announced = visibleDigests(this.#host.skills.set);
    this.#events.emit({ type: "conversation", id: this.#talk.id, is: "new", messages: 0 });
  }

  /** For whoever watches where skills come from. Never rejects. */
  async reloadWatched(): Promise<void> {
    try {
      await this.#reload("watched");
    } catch (error) {
      const why = reasonOf(error, "loading them failed");
      this.#events.find(agentFinding("agent.reload-failed", "skills", why));
    }
  }

  async #reload(why: ReloadWhy): Promise<SkillChange> {
    return this.#changed(await this.#host.skills.reload(), why);
  }

  /** For a command that tells of it in its own answer. */
  async #reloadQuietly(): Promise<SkillChange> {
    const change = await this.#host.skills.reload();
    this.#watchFolders();
    return change;
  }

  #changed(change: SkillChange, why: ReloadWhy): SkillChange {
    this.#watchFolders();
    const { added, changed, removed, confirmed, findings } = change;
    const isOther = [added, changed, removed, confirmed, findings].some(({ length }) => length > 0);
    if (isOther) this.#events.emit({ type: "skills.changed", change, why });
    return change;
  }

  #watchFolders(): void {
    if (this.#watch === null) return;
    const { unwatched, why } = this.#watch.watch(this.#host.skills.folders);
    if (unwatched === 0) return;
    const message = `${unwatched} folders are not watched${why === null ? "" : `: ${why}`}`;
    this.#events.findOnce(agentFinding("agent.watch-partly", "workspace", message));
  }

  #context(life: Lifetime): CommandContext {
    return commandContext({
      host: this.#host,
      life,
      tools: this.#tools,
      spawner: this.#spawner,
      capabilities: this.#capabilities,
      emit: (event) => this.#events.emit(event),
      prompt: () => this.#prompt(),
      history: () => this.#talk.history,
      scope: () => this.#authority.scope,
      reload: () => this.#reloadQuietly(),
      confirm: async (skills, options) => {
        this.#changed(await this.#host.skills.confirm(skills, options), "asked");
      },
      hold: (skills) => this.#authority.hold(skills, "person"),
      release: () => this.#authority.release(),
      fresh: () => this.#fresh(),
      compact: () => compactTalk(this.#room(), life, true),
      used: (use, skill) => this.#authority.used(use, skill, "person"),
    });
  }

  #allTools(): ReadonlyMap<string, Tool> {
    const { skills, random, limits, route } = this.#host;
    return agentTools(
      this.#host,
      {
        skills,
        random,
        textBytes: limits.textBytes,
        hold: (skill, session) => this.#authority.holdFor(skill, session),
        used: (use, skill, session) => this.#authority.usedBy(use, skill, session),
        route: (query, signal) => route(query, visibleSkills(skills.set), signal),
      },
      this.#spawner.tool,
      async () => describeChange(await this.#reload("written")),
    );
  }
}

function refusal(why: string): AgentEvent {
  return { type: "reply", command: "", reply: { notes: [why], isError: true } };
}
