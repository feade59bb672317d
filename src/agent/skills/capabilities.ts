import { orNull } from "../../core/error.ts";
import { blocks, type Finding } from "../../core/finding.ts";
import { type Bundle, contractFile } from "../../skill/bundle.ts";
import {
  type CapabilityDefinition,
  capabilityOf,
  type ContractSource,
  restrictsTools,
} from "../../scope/capability.ts";
import { type CapabilityRegistry, createCapabilities, type PrimaryRegistry } from "../../scope/registry.ts";
import { idOf } from "../../scope/resolve.ts";
import { isPlainStep } from "../../scope/rules.ts";
import { agentFinding } from "../agent-faults.ts";
import { type AgentSkill, type AgentSkills, visibleSkills } from "./agent-skill.ts";
import { unusable } from "./open-skill.ts";

/** More than this and only those that are asked for by a person are there for sub-agents. */
const mostRegistered = 256;

interface Registered {
  readonly id: string;
  readonly restricts: boolean;
}

/** The registry of one generation: what is gone from the set is gone from the next one as well. */
interface Generation {
  readonly number: number;
  readonly registry: PrimaryRegistry;
  readonly known: Map<string, Registered>;
}

/** The skills of an agent as capability skills, for scopes and sub-agents. */
export class SkillCapabilities {
  readonly #skills: AgentSkills;
  readonly #allowContracts: boolean;
  readonly #onFinding: (finding: Finding) => void;
  #current: Generation = { number: -1, registry: createCapabilities(), known: new Map() };
  #filled: Promise<void> = Promise.resolve();

  constructor(skills: AgentSkills, allowContracts: boolean, onFinding: (finding: Finding) => void) {
    this.#skills = skills;
    this.#allowContracts = allowContracts;
    this.#onFinding = onFinding;
  }

  /** What `spawn` validates against: whatever the generation is when it asks. */
  get live(): CapabilityRegistry {
    const registry = (): PrimaryRegistry => this.#current.registry;
    return {
      get: (name) => registry().get(name),
      list: () => registry().list(),
      validate: (...asked) => registry().validate(...asked),
      compose: (...asked) => registry().compose(...asked),
      register: (...asked) => registry().register(...asked),
      override: (...asked) => registry().override(...asked),
    };
  }

  /** Brings the registry to the generation of now; whoever comes meanwhile waits for the same. */
  refresh(): Promise<void> {
    const { set } = this.#skills;
    if (set.generation === this.#current.number) return this.#filled;
    const next = { number: set.generation, registry: createCapabilities(), known: new Map<string, Registered>() };
    this.#current = next;
    const visible = visibleSkills(set);
    if (visible.length > mostRegistered) {
      const message = `${mostRegistered} of ${visible.length} skills are there for sub-agents`;
      this.#onFinding(agentFinding("agent.capabilities-cut", "skills", message));
    }
    this.#filled = this.#fill(next, visible.slice(0, mostRegistered));
    return this.#filled;
  }

  /** Throws `entry.unusable` when it cannot be used in a scope. */
  async register(skill: AgentSkill): Promise<Registered> {
    await this.refresh();
    return this.#add(this.#current, skill);
  }

  async #fill(generation: Generation, skills: readonly AgentSkill[]): Promise<void> {
    // A person who asks for one that cannot be used is told why; for a model it is not there.
    for (const skill of skills) await this.#add(generation, skill).catch(orNull);
  }

  async #add({ registry, known }: Generation, skill: AgentSkill): Promise<Registered> {
    // Of other bytes it is another skill: reading it says so.
    const key = `${skill.entry} ${skill.digest}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    // Scanned as for any other use: its steps go to a model.
    const { bundle, skill: parsed } = await this.#skills.open(skill);
    const source = skill.entry.slice(0, skill.entry.indexOf(":"));
    const contract = this.#contractOf(skill, bundle);
    const capability = capabilityOf(parsed, { source, entry: skill.entry }, contract);
    if (capability.unusable !== undefined) throw unusable(skill, capability.unusable);
    const { alias, name, path } = skill;
    const definition = { ...capability.definition, name: alias === name ? name : path || name };
    const shown = skill.standing === "confirmed" ? definition : quietly(definition);
    const against = registry.register(shown, capability.origin).find(blocks);
    if (against !== undefined) throw unusable(skill, against.message);
    const registered = { id: idOf(source, shown.name), restricts: restrictsTools(parsed) };
    known.set(key, registered);
    return registered;
  }

  /** SC-10: only of a host that opted in, and of bytes that a person confirmed; never left out without a word. */
  #contractOf(skill: AgentSkill, { files }: Bundle): ContractSource | null {
    const file = files.find(({ path }) => path === contractFile);
    if (file === undefined) return null;
    if (!this.#allowContracts) {
      this.#onFinding(
        agentFinding("agent.contract-inert", skill.entry, `${skill.alias} has a contract, which is not run`),
      );
      return null;
    }
    if (skill.standing !== "confirmed") throw unusable(skill, "its contract is run only once the skill is confirmed");
    return { digest: file.digest, code: new TextDecoder().decode(file.bytes) };
  }
}

/** AG-2: of what nobody confirmed neither the name nor a step has the form that may stand in a system prompt (SC-6). */
function quietly(definition: CapabilityDefinition): CapabilityDefinition {
  const steps = definition.executionProtocol.map((step) => (isPlainStep(step) ? `${step}.` : step));
  return { ...definition, name: `${definition.name.slice(0, 48)} (unconfirmed)`, executionProtocol: steps };
}
