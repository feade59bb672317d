import type { Finding } from "../core/finding.ts";
import { longestWait } from "../core/world.ts";
import type { AgentEvent } from "./agent-event.ts";
import { AgentEvents } from "./agent-events.ts";
import { reasonOf } from "./agent-faults.ts";
import type { AgentHost } from "./agent-host.ts";
import { agentTools, spawnHostOf } from "./agent-tools.ts";
import type { AgentState, Completions, PrimaryAgent } from "./agent.ts";
import { Authority } from "./authority.ts";
import type { CommandContext } from "./commands/command.ts";
import { type Commands, createCommands } from "./commands/registry.ts";
import { createCommandContext } from "./core-context.ts";
import { Lifetime, longestLeaving, Working } from "./loop/lifetime.ts";
import { buildPrompt, type Prompt } from "./prompt/prompt.ts";
import { SkillUpdates } from "./skill-watch.ts";
import { type SkillChange, unconfirmedSkills } from "./skills/agent-skill.ts";
import { SkillCapabilities } from "./skills/capabilities.ts";
import { describeChange } from "./skills/changes.ts";
import type { Spawned, SpawnRequest } from "./spawn/spawn.ts";
import { createSpawner, type InProcessSpawner } from "./spawn/spawner.ts";
import { KeptTalk } from "./talk/kept-talk.ts";
import type { Tool } from "./tool.ts";
import { takeTurn, type TurnParts } from "./turn.ts";

/** An agent that works in a folder, with the skills of it. What a person says comes in, and events come out. */
export class AgentCore implements PrimaryAgent {
  readonly #host: AgentHost;
  readonly #events = new AgentEvents();
  readonly #talk: KeptTalk;
  readonly #tools = new Map<string, Tool>();
  readonly #capabilities: SkillCapabilities;
  readonly #authority: Authority;
  readonly #spawner: InProcessSpawner;
  readonly #commands: Commands;
  readonly #updates: SkillUpdates;
  readonly #working = new Working();
  readonly #life = new Lifetime();
  readonly #parts: TurnParts;
  /** The agent as its commands see it. The signal of a line is given with the line. */
  readonly #context: CommandContext;
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
      onEvent: (event) => this.#events.emit({ type: "sub-agent", event }),
    });
    this.#spawner = createSpawner(spawnHost);
    const onSkillWritten = async () => describeChange(await this.#updates.reload("written"));
    for (const [name, tool] of agentTools(host, this.#authority, this.#spawner.tool, onSkillWritten))
      this.#tools.set(name, tool);
    this.#commands = createCommands(host.commands, host.completions);
    this.#updates = new SkillUpdates(host, this.#events);
    this.#parts = {
      host,
      events: this.#events,
      talk: this.#talk,
      tools: this.#tools,
      capabilities: this.#capabilities,
      authority: this.#authority,
      updates: this.#updates,
      working: this.#working,
      prompt: () => this.#prompt(),
      onTokens: (tokens) => {
        this.#tokens = tokens;
      },
    };
    const spawner = this.#spawner;
    this.#context = createCommandContext({ ...this.#parts, spawner, life: this.#life, fresh: () => this.#fresh() });
  }

  /** Puts into force what holds from the beginning, and begins to watch. */
  async begin(): Promise<void> {
    await this.#authority.begin();
    this.#updates.watchFolders();
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
    return this.#updates.changed(await skills.loadSkills(await openRoot(root)), "asked");
  }

  reloadSkills(): Promise<SkillChange> {
    return this.#updates.reload("asked");
  }

  /** For whoever watches where skills come from. Never rejects. */
  reloadWatched(): Promise<void> {
    return this.#updates.reloadWatched();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#updates.close();
    this.#life.end("cancelled");
    await this.#spawner.close();
    await this.#working.idleWithin(longestLeaving, this.#host.timer);
    await this.#talk.save();
    await this.#host.onClosed();
  }

  /** One line of a person, from beginning to end. Never rejects. */
  async #work(line: string, life: Lifetime): Promise<void> {
    try {
      const result = await this.#commands.run(this.#context, line, life.signal);
      if (result.is === "leave") this.#events.emit({ type: "leave" });
      else if (result.is === "reply") this.#events.emit({ type: "reply", command: line, reply: result.reply });
      else {
        const { text, invocations } = result;
        this.#events.emit({ type: "turn.started", message: text, generation: this.#host.skills.set.generation });
        const end = await takeTurn(this.#parts, text, invocations, life);
        this.#events.emit({ type: "turn.ended", end });
      }
    } catch (error) {
      if (life.endedBy() !== null) this.#events.emit({ type: "turn.ended", end: "cancelled" });
      else this.#events.emit(refusal(reasonOf(error, "something failed that was not expected to")));
    }
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

  async #fresh(): Promise<void> {
    await this.#talk.renew();
    this.#tokens = 0;
    await this.#authority.renew();
    await this.#updates.reload("asked");
    this.#updates.announce();
    this.#events.emit({ type: "conversation", id: this.#talk.id, is: "new", messages: 0 });
  }
}

function refusal(why: string): AgentEvent {
  return { type: "reply", command: "", reply: { notes: [why], isError: true } };
}
