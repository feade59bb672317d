import type { EntryId } from "../../core/ids.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { atOneGeneration } from "../../registry/one-generation.ts";
import type { Composition } from "../../compose/composition.ts";
import type { Contexts } from "../../app/app.ts";
import { type AskedComposition, demandAskedTarget, invokedEntries } from "../configurations/compositions.ts";
import { composeRouted } from "./routed-skills.ts";
import type { Router } from "../routing/router.ts";
import type { Targets } from "../configurations/targets.ts";
import { estimateTokens } from "../../compose/tokens.ts";
import type { CompositionPreview } from "./schema.ts";

/** A question what a request would be given (CO-7). */
export interface AskedPreview extends AskedComposition {
  /** What the request says: with it, skills are chosen as they would be for a request (CO-13). */
  readonly query?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Previewing {
  readonly contexts: Pick<Contexts, "kept" | "keys" | "policy">;
  readonly targets: Targets;
  readonly router: Router;
}

/** By the very functions that compose for requests. Nothing is sent to a provider, and nothing is recorded. */
export async function previewComposition(
  previewing: Previewing,
  person: Person,
  asked: AskedPreview,
): Promise<CompositionPreview> {
  const { contexts, targets, router } = previewing;
  const { query, signal, skills = [] } = asked;
  requireRight({ person, policy: contexts.policy }, "read");
  const said = query === undefined ? null : { read: () => query };
  const { target, given } = await atOneGeneration(async () => {
    const found = await demandAskedTarget(targets, person, asked);
    const invoked = invokedEntries(person, found, skills);
    return { target: found, given: await composeRouted(contexts, router, found, { invoked, said, signal }) };
  });
  const { composition, last, findings } = given;
  return {
    generation: target.look.snapshot.generation,
    budget: target.configuration.budget,
    composition: counted(composition),
    last: last === null ? null : counted(last),
    routed: [...routedIn(composition), ...(last === null ? [] : routedIn(last))],
    findings,
  };
}

function counted(composition: Composition): CompositionPreview["composition"] {
  const { block, systemBlock, tokens = estimateTokens(systemBlock) + estimateTokens(block) } = composition;
  return { ...composition, tokens };
}

function routedIn({ included, dropped }: Composition): readonly EntryId[] {
  return [...included, ...dropped].filter(({ via }) => via === "routed").map(({ entry }) => entry);
}
