import type { RouteAsked } from "../http/words.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Match, Routed, RouteOptions } from "../../routing/routed.ts";
import type { Contexts } from "../../app/app.ts";
import type { Targets } from "../configurations/targets.ts";
import { requireRightToAll } from "../skills/find.ts";
import { boundsOf } from "./routable.ts";
import type { Routing } from "./routing.ts";

export interface AskedRoute extends RouteAsked {
  readonly signal?: AbortSignal | undefined;
}

/** A match with the name that people know it by. */
interface MatchView extends Match {
  readonly name: string;
}

export interface RouteView extends Omit<Routed, "matches"> {
  readonly generation: number;
  readonly matches: readonly MatchView[];
}

interface Asking {
  readonly contexts: Pick<Contexts, "registry" | "policy">;
  readonly targets: Targets;
  readonly routing: Pick<Routing, "route">;
}

/**
 * What a request with this text would be given, and why. A key that is limited to some configurations names one of
 * them: what lies outside of it does not exist for that key.
 */
export async function routeQuery(
  { contexts, targets, routing }: Asking,
  person: Person,
  asked: AskedRoute,
): Promise<RouteView> {
  const { query, configuration, kinds, paths, limit, signal } = asked;
  const target = configuration === undefined ? undefined : await targets.find(person, { configuration });
  if (target === undefined) requireRightToAll({ person, policy: contexts.policy }, "name the one to route for");
  const { snapshot } = target?.look ?? (await contexts.registry.look());
  const options: RouteOptions = {
    ...(target === undefined ? {} : boundsOf(target)),
    ...(kinds === undefined ? {} : { kinds }),
    ...(paths === undefined ? {} : { context: { paths } }),
    ...(limit === undefined ? {} : { limit }),
    ...(signal === undefined ? {} : { signal }),
  };
  const routed = await routing.route(snapshot, query, options);
  const named = (match: Match): MatchView => ({
    ...match,
    name: snapshot.usable.get(match.entry)?.name ?? match.entry,
  });
  return { generation: snapshot.generation, ...routed, matches: routed.matches.map(named) };
}
