import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import type { EntryId } from "../core/ids.ts";
import type { Kept } from "../core/kept.ts";
import { safeName } from "../core/text.ts";
import type { Clock, Randomness } from "../core/world.ts";
import { type AccountPolicy, demand, type Person, type Right } from "../registry/accounts/roles.ts";
import type { AuditWrites } from "../registry/audit/audit.ts";
import type { Keys } from "../registry/keys.ts";
import type { LlmReads, LlmWrites } from "./port.ts";

/** Where an entry stands in the registry, and why. */
export interface Standing {
  readonly state: string;
  readonly reason: string;
  /** The approved revision that may be used; null: none. */
  readonly inUse?: Digest | null;
}

/** Everything a flow of this room works with: what is kept, the world, and who asks. */
export interface LlmContext {
  readonly kept: Kept<LlmReads, LlmWrites & AuditWrites>;
  readonly keys: Keys;
  readonly random: Randomness;
  readonly clock: Clock;
  readonly policy: AccountPolicy;
  readonly person: Person;
  /** Asked outside of transactions; undefined for an entry that the registry does not have. */
  readonly standingOf: (entry: EntryId) => Promise<Standing | undefined>;
}

/** RV-12: the first thing every flow does. */
export function demandRight({ person, policy }: LlmContext, right: Right): void {
  demand(person, right, policy);
}

/** Whether a configuration, with its tasks and attachments, is within what a person is limited to. */
export function mayTouch({ person }: LlmContext, configuration: string): boolean {
  return person.configurations === null || person.configurations.includes(configuration);
}

export function demandConfiguration(context: LlmContext, configuration: string): void {
  if (mayTouch(context, configuration)) return;
  throw limited(context, `configuration "${safeName(configuration)}" is not one of them`);
}

/**
 * RV-13, T43: providers are the admins' alone, to look at as well. They serve every configuration, so that one who is
 * limited to some of them has no hand in them.
 */
export function demandProviders(context: LlmContext): void {
  demandRight(context, "administer");
  if (context.person.configurations !== null) throw limited(context, "this concerns all of them");
}

function limited({ person }: LlmContext, why: string): AppError {
  return new AppError("auth.forbidden", `${safeName(person.name)} is limited to some configurations: ${why}`);
}
