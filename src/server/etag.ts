import { sha256 } from "../core/digest.ts";
import type { AccountPolicy, Person } from "../registry/accounts/roles.ts";
import { version } from "../core/version.ts";

/**
 * SV-2: what somebody is told follows from the generation, from who they are and from how reviewing is set up here; and
 * from the release, which may say it otherwise. Weak: it says that the answer means the same, not that its bytes are.
 */
export function tagOf(generation: number, { name, role, configurations }: Person, policy: AccountPolicy): string {
  const who = sha256(Buffer.from(JSON.stringify([version, name, role, configurations, policy])));
  return `W/"${generation}-${who.slice(0, 16)}"`;
}

/** Whether one of the tags that a client sent is this one. `*` is no tag of ours: it would never be told anything again. */
export function isKnown(given: string | undefined, etag: string): boolean {
  return given !== undefined && given.split(",").some((each) => each.trim() === etag);
}
