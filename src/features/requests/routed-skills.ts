import type { Contexts } from "../../app/app.ts";
import type { Which } from "../../compose/inject.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { GenerationChanged } from "../../registry/one-generation.ts";
import { routeFinding } from "../../routing/route-faults.ts";
import { type Composed, composeFor } from "../configurations/compositions.ts";
import type { Target } from "../configurations/targets.ts";
import { routableFor } from "../routing/routable.ts";
import type { RoutedChoice, Router } from "../routing/router.ts";

/** What a request says, for those who choose skills by it (CO-13). */
export interface Said {
  /** What its first user message says, or its last. Empty when it says nothing. */
  read(which: Which): string;
  /** Of the conversation that it goes on from, and whose first message it does not have (CO-8). */
  readonly before?: { readonly routed: readonly EntryId[] | undefined } | undefined;
}

/** Skills for one request alone, and how to choose more. */
export interface Wishes {
  readonly invoked?: readonly EntryId[];
  /** Null: what it says is no reason to choose a skill. */
  readonly said: Said | null;
  readonly signal?: AbortSignal | undefined;
}

/** What a request is given, and what came of choosing. */
export interface Given extends Composed {
  /** What was chosen for the whole conversation; undefined: nothing that holds for the next turn. */
  readonly routed: readonly EntryId[] | undefined;
  readonly findings: readonly Finding[];
}

/** CO-1, CO-13: chosen and composed. Throws `GenerationChanged`: the target is to be found again (invariant 8). */
export async function composeRouted(
  contexts: Pick<Contexts, "kept" | "keys">,
  router: Router,
  target: Target,
  { invoked = [], said, signal }: Wishes,
): Promise<Given> {
  const choice = said === null ? nothing : await chooseBy(said, router, target, signal);
  const composed = await composeFor(contexts, target, { invoked, routed: choice.entries });
  // Choosing takes its time, above all where a model is asked: what was blocked meanwhile is not given out.
  const { generation } = target.look.snapshot;
  if (choice.entries.length > 0 && (await contexts.kept.read.generation()) !== generation)
    throw new GenerationChanged();
  return { ...composed, routed: choice.holds ? choice.entries : undefined, findings: choice.findings };
}

interface Choice extends RoutedChoice {
  readonly holds: boolean;
}

const nothing: Choice = { entries: [], findings: [], holds: false };

async function chooseBy(said: Said, router: Router, target: Target, signal?: AbortSignal): Promise<Choice> {
  const { enabled, routeOn } = target.configuration.routing;
  if (!enabled) return nothing;
  const isForAll = routeOn === "first";
  const { before } = said;
  if (isForAll && before?.routed !== undefined)
    return { entries: stillRoutable(target, before.routed), findings: [], holds: true };
  const query = said.read(routeOn);
  if (query.trim() === "") return nothing;
  const choice = await ask(router, target, query, signal);
  if (choice === undefined) return { ...nothing, findings: [failed] };
  const findings = isForAll && before !== undefined ? [unknownBefore, ...choice.findings] : choice.findings;
  return { entries: choice.entries, findings, holds: isForAll };
}

/** Undefined when nothing could be chosen: that is no reason for a request to fail. */
async function ask(
  router: Router,
  target: Target,
  query: string,
  signal?: AbortSignal,
): Promise<RoutedChoice | undefined> {
  try {
    return await router.chooseFor(target, query, signal);
  } catch (error) {
    // Whoever has left wants no answer without skills either.
    if (signal?.aborted === true) throw error;
    return undefined;
  }
}

/** RT-5: since it was chosen, an admin may have taken it off the list. */
function stillRoutable(target: Target, entries: readonly EntryId[]): readonly EntryId[] {
  if (entries.length === 0) return entries;
  const routable = routableFor(target);
  return entries.filter((entry) => routable.has(entry));
}

const failed = routeFinding(
  "route.failed",
  "request",
  "choosing skills by what the request says failed: it has those that are attached or named, and no others",
);

const unknownBefore = routeFinding(
  "route.first-unknown",
  "request",
  "the first message of this conversation is not known here: skills were chosen by what this request says",
);
