import { whyForbidden } from "../registry/accounts/roles.ts";
import { whyNotSecond, whyNotTheirs } from "../registry/decide.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";
import { decisionsIn } from "./entry-view.ts";

/** Why whoever looks may not say any word on an entry, or not approve it; null: nothing of who they are is against it. */
export interface Refusals {
  readonly decide: string | null;
  readonly approve: string | null;
}

/** RV-5: said before anything is tried, by the rules that a word is held to. */
export function refusalsOf({ person, review: { policy } }: App, look: Look, entry: Entry): Refusals {
  const source = look.facts.sources.get(entry.source);
  const words = decisionsIn(look, entry.id);
  const any = whyForbidden(person, "review", policy) ?? (source && whyNotTheirs(policy, person, source)) ?? null;
  const another = source && whyNotSecond(policy, person, { digest: entry.current }, { entry, source }, words);
  return { decide: any, approve: any ?? another ?? null };
}
