import { AppError, orNull } from "../core/error.ts";
import { safeLine } from "../core/text.ts";
import { createMutex } from "../core/async.ts";
import { composeScope, joinScopes } from "../scope/compose-scope.ts";
import type { Scope } from "../scope/scope.ts";
import type { AgentSkill, AgentSkills } from "./skills/agent-skill.ts";
import type { SkillCapabilities } from "./skills/capabilities.ts";
import type { HeldSkill } from "./talk/saved.ts";

/** The skills that an agent holds, and the scope that this comes to. It only narrows, until a person lets go (invariant 3). */
export class HeldScope {
  readonly #skills: AgentSkills;
  readonly #capabilities: SkillCapabilities;
  /** One at a time: of two that hold something at once, neither may be lost. */
  readonly #inTurn = createMutex();
  #held: readonly HeldSkill[] = [];
  #scope: Scope | null = null;
  /** Not all that is held could be found again: nothing is allowed, whatever else is held on top. */
  #isLost = false;
  /** What holds from the beginning: nobody lets go of it. */
  #base: { readonly held: readonly HeldSkill[]; readonly scope: Scope | null } = { held: [], scope: null };

  constructor(skills: AgentSkills, capabilities: SkillCapabilities) {
    this.#skills = skills;
    this.#capabilities = capabilities;
  }

  get scope(): Scope | null {
    return this.#scope;
  }

  get held(): readonly HeldSkill[] {
    return this.#held;
  }

  /** Those of them that restrict something. Throws `entry.unusable`, and changes nothing, when they cannot be held with the others. */
  hold(skills: readonly AgentSkill[]): Promise<readonly AgentSkill[]> {
    return this.#inTurn(() => this.#hold(skills));
  }

  /** What is held now is held from the beginning on. */
  pin(): void {
    this.#base = { held: this.#held, scope: this.#scope };
  }

  async #hold(skills: readonly AgentSkill[]): Promise<readonly AgentSkill[]> {
    const added: { readonly skill: AgentSkill; readonly id: string }[] = [];
    for (const skill of skills) {
      const { id, restricts } = await this.#capabilities.register(skill);
      if (restricts && !this.#holds(skill)) added.push({ skill, id });
    }
    if (added.length === 0) return [];
    this.#scope = await this.#composed(added.map(({ id }) => id));
    const skillsAdded = added.map(({ skill }) => skill);
    this.#held = [
      ...this.#held,
      ...skillsAdded.map(({ entry, digest, alias }) => ({ entry, digest: digest ?? "", name: alias })),
    ];
    return skillsAdded;
  }

  /** Of all but what holds from the beginning, as it was then. */
  release(): Promise<void> {
    return this.#inTurn(async () => this.#release());
  }

  #release(): void {
    [this.#held, this.#scope, this.#isLost] = [this.#base.held, this.#base.scope, false];
  }

  /** What a resumed conversation was held under. False: not all of it is there as it was, so that nothing is allowed. */
  restore(held: readonly HeldSkill[]): Promise<boolean> {
    return this.#inTurn(() => this.#restore(held));
  }

  async #restore(held: readonly HeldSkill[]): Promise<boolean> {
    this.#release();
    if (held.length === 0) return true;
    const found = held.flatMap((each) => this.#current(each) ?? []);
    const areFound = found.length === held.length && (await this.#hold(found).catch(orNull)) !== null;
    if (areFound && found.every((skill) => this.#holds(skill))) return true;
    [this.#held, this.#scope, this.#isLost] = [held, composeScope([]), true];
    return false;
  }

  /** Together where all are still there, so that skills which require each other stand in one group; else on top. */
  async #composed(added: readonly string[]): Promise<Scope | null> {
    const before = await Promise.all(
      this.#held.map(async (held) => {
        const skill = this.#current(held);
        return skill === undefined ? null : (await this.#capabilities.register(skill)).id;
      }),
    );
    const areThere = before.every((id) => id !== null) && !this.#isLost;
    const ids = areThere ? [...before.filter((id) => id !== null), ...added] : added;
    const { live } = this.#capabilities;
    const { errors } = live.validate(ids);
    const [first] = errors;
    if (first !== undefined) throw new AppError("entry.unusable", `${safeLine(first.skill, 80)}: ${first.reason}`);
    const composed = live.compose(ids);
    return areThere ? composed : joinScopes(this.#scope, composed);
  }

  #current({ entry, digest }: HeldSkill): AgentSkill | undefined {
    return this.#skills.set.skills.find((skill) => skill.entry === entry && skill.digest === digest);
  }

  #holds({ entry, digest }: AgentSkill): boolean {
    return this.#held.some((held) => held.entry === entry && held.digest === digest);
  }
}
