import type { Digest } from "../core/digest.ts";
import { AppError } from "../core/error.ts";
import type { EntryId } from "../core/ids.ts";
import type { Kept } from "../core/kept.ts";
import { safeName } from "../core/text.ts";
import type { Clock, Randomness } from "../core/world.ts";
import { type CheckedRight, type Permit, requireRight, type UserContext } from "../registry/accounts/permit.ts";
import type { Person, Right } from "../registry/accounts/roles.ts";
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

/** Everything a flow of this room works with: what is kept, and the world. */
export interface LlmContext {
  readonly kept: Kept<LlmReads, LlmWrites & AuditWrites>;
  readonly keys: Keys;
  readonly random: Randomness;
  readonly clock: Clock;
  /** Asked outside of transactions; undefined for an entry that the registry does not have. */
  readonly standingOf: (entry: EntryId) => Promise<Standing | undefined>;
}

/** The same for one request, with the right of whoever asks. */
export interface LlmReader extends LlmContext {
  readonly permit: Permit<"read">;
}

export interface LlmOperator extends LlmContext {
  readonly permit: Permit<"operate">;
}

export interface LlmAdmin extends LlmContext {
  readonly permit: Permit<"administer">;
}

/** RV-12: what a flow begins with that calls this room. */
export function permitLlm<R extends Right>(
  app: UserContext & { readonly llm: LlmContext },
  right: R,
): LlmContext & { readonly permit: CheckedRight<R> } {
  return { ...app.llm, permit: requireRight(app, right) };
}

/** Whether a configuration, with its tasks and attachments, is within what a person is limited to. */
export function mayTouch(person: Person, configuration: string): boolean {
  return person.configurations === null || person.configurations.includes(configuration);
}

export function demandConfiguration(person: Person, configuration: string): void {
  if (mayTouch(person, configuration)) return;
  throw limited(person, `configuration "${safeName(configuration)}" is not one of them`);
}

/**
 * RV-13, T43: providers are the admins' alone, to look at as well. They serve every configuration, so that one who is
 * limited to some of them has no hand in them.
 */
export function demandProviders({ permit: { person } }: LlmAdmin): void {
  if (person.configurations !== null) throw limited(person, "this concerns all of them");
}

function limited(person: Person, why: string): AppError {
  return new AppError("auth.forbidden", `${safeName(person.name)} is limited to some configurations: ${why}`);
}
