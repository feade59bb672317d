import { AppError, orNull } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { joinScopes, withForbidden } from "../scope/compose-scope.ts";
import type { Scope } from "../scope/scope.ts";
import { primaryName, type SkillUse } from "./agent-event.ts";
import type { AgentEvents } from "./agent-events.ts";
import { agentFinding } from "./agent-faults.ts";
import type { AgentHost, AttachedSkills } from "./agent-host.ts";
import { HeldScope } from "./held-scope.ts";
import { nothingAttached } from "./prompt/prompt.ts";
import type { AgentSkill } from "./skills/agent-skill.ts";
import type { SkillCapabilities } from "./skills/capabilities.ts";
import type { KeptTalk } from "./talk/kept-talk.ts";

type AuthorityHost = Pick<AgentHost, "skills" | "scope" | "forbiddenTools" | "held" | "attached" | "resumed">;

/** What the agent may do, by the skills that it holds: the scope in force, and what a person granted. */
export class Authority {
  readonly #host: AuthorityHost;
  readonly #capabilities: SkillCapabilities;
  readonly #events: AgentEvents;
  readonly #talk: KeptTalk;
  readonly #held: HeldScope;
  /** Skills that the conversation was given as a whole, by entry: what a person granted them counts (CO-10). */
  readonly #included = new Map<string, string>();
  #attachedScope: Scope | null = null;

  constructor(host: AuthorityHost, capabilities: SkillCapabilities, events: AgentEvents, talk: KeptTalk) {
    this.#host = host;
    this.#capabilities = capabilities;
    this.#events = events;
    this.#talk = talk;
    this.#held = new HeldScope(host.skills, capabilities);
  }

  /** What holds from the beginning, and what a resumed conversation was held under. */
  async begin(): Promise<void> {
    await this.readAttached();
    await this.#holdFromTheBeginning();
    const held = this.#host.resumed?.held ?? [];
    if (!(await this.#held.restore(held))) {
      const names = held.map(({ name }) => name).join(", ");
      this.#events.findOnce(agentFinding("agent.held-lost", "conversation", `not as it was any more: ${names}`));
    }
    this.#talk.history.setHeld(this.#held.held);
  }

  /** In force at this moment. */
  get scope(): Scope | null {
    const { scope, forbiddenTools } = this.#host;
    const own = joinScopes(this.#attachedScope, this.#held.scope);
    return withForbidden(joinScopes(scope, own), forbiddenTools, "workspace");
  }

  /** Names of the skills whose scopes these are. */
  get held(): readonly string[] {
    return [...(this.#attachedScope?.skills ?? []), ...this.#held.held].map(({ name }) => name);
  }

  /** What stands for a person is looked at when it would: the skill must be there, approved, and of the same bytes. */
  async grants(): Promise<readonly string[]> {
    const { skills } = this.#host;
    const granted = skills.set.skills.filter(
      ({ entry, digest, grants }) => grants.length > 0 && this.#included.get(entry) === digest,
    );
    const grants: string[] = [];
    for (const skill of granted) if ((await skills.read(skill).catch(orNull)) !== null) grants.push(...skill.grants);
    return grants;
  }

  /** What is in every prompt is held by whoever reads it: by its own bytes, whatever else is loaded. */
  async readAttached(): Promise<AttachedSkills> {
    const attached = (await this.#host.attached?.()) ?? nothingAttached;
    this.#attachedScope = attached.scope;
    return attached;
  }

  async hold(skills: readonly AgentSkill[], by: "person" | "model"): Promise<void> {
    const held = await this.#held.hold(skills);
    this.#talk.history.setHeld(this.#held.held);
    for (const skill of held) this.used("held", skill, by);
  }

  /** A sub-agent's scope is settled when it is spawned: a skill that restricts something cannot come later (SC-5). */
  async holdFor(skill: AgentSkill, session: string): Promise<void> {
    if (session === primaryName) return this.hold([skill], "model");
    const { restricts } = await this.#capabilities.register(skill);
    if (!restricts) return;
    const hint = "a sub-agent that is to work under it is spawned with it";
    throw new AppError(
      "entry.unusable",
      `${skill.alias} restricts what may be done, and cannot be loaded here: ${hint}`,
    );
  }

  /** What the conversation took on; what holds from the beginning stays. */
  async release(): Promise<void> {
    await this.#held.release();
    this.#talk.history.setHeld(this.#held.held);
  }

  /** For another conversation. */
  async renew(): Promise<void> {
    this.#included.clear();
    await this.release();
  }

  /** The agent's own record: nothing that anybody says can forge it (AG-9). */
  used(use: SkillUse, { alias: name, entry, digest }: AgentSkill, by: "person" | "model"): void {
    if (digest === null) return;
    if (use === "invoked" || use === "loaded") this.#included.set(entry, digest);
    this.#events.emit({ type: "skill.used", use, name, entry, digest, by });
  }

  /** What a sub-agent reads gives the agent itself nothing. */
  usedBy(use: "loaded" | "routed", skill: AgentSkill, session: string): void {
    if (session === primaryName) this.used(use, skill, "model");
  }

  async #holdFromTheBeginning(): Promise<void> {
    const { held, skills } = this.#host;
    const found = held.map((name) => skills.find(name));
    const missing = held.filter((_, index) => found[index]?.is !== "one").map((name) => safeLine(name, 80));
    if (missing.length > 0)
      throw new AppError("record.missing", `hold: there is no one skill of this name here: ${missing.join(", ")}`);
    await this.hold(
      found.flatMap((each) => (each.is === "one" ? [each.skill] : [])),
      "person",
    );
    this.#held.pin();
  }
}
