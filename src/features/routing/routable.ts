import type { EntryId } from "../../core/ids.ts";
import type { Snapshot } from "../../registry/snapshot.ts";
import { reaches } from "../../compose/select.ts";
import type { RouteOptions, Thresholds } from "../../routing/routed.ts";
import type { Target } from "../configurations/targets.ts";
import type { Routing as RoutingFields } from "../../models/schema.ts";

/** What a configuration says about how its requests are routed. */
export function boundsOf(target: Target): Pick<RouteOptions, "among" | "thresholds"> {
  return { among: routableFor(target), thresholds: thresholdsOf(target.configuration.routing) };
}

/** A threshold that a configuration leaves open is the chain's own. */
function thresholdsOf({ accept, margin, floor }: RoutingFields): Partial<Thresholds> {
  const said = Object.entries({ accept, margin, floor }).filter(([, value]) => value !== null);
  return Object.fromEntries(said);
}

/** Made once for what a target rests on: of a large source it is a long list, and every request asks for it. */
const known = new WeakMap<Snapshot, Map<string, ReadonlySet<EntryId>>>();

/**
 * RT-5: what routing may choose for a configuration: the entries and sources that it names, else what is attached, and
 * of these what may be used and is trusted enough.
 */
export function routableFor(target: Target): ReadonlySet<EntryId> {
  const { look, configuration, task } = target;
  const ofSnapshot = known.get(look.snapshot) ?? new Map<string, ReadonlySet<EntryId>>();
  known.set(look.snapshot, ofSnapshot);
  const key = `${configuration.id} ${task?.id ?? ""}`;
  const routable = ofSnapshot.get(key) ?? findRoutable(target);
  ofSnapshot.set(key, routable);
  return routable;
}

function findRoutable({ look, configuration, attached }: Target): ReadonlySet<EntryId> {
  const { routable, trustFloor } = configuration;
  const named =
    routable.length === 0 ? [...attached.configuration, ...attached.task] : entriesNamed(look.snapshot, routable);
  return new Set(
    named.filter((entry) => {
      const usable = look.snapshot.usable.get(entry);
      return usable !== undefined && reaches(usable.trust, trustFloor);
    }),
  );
}

const sourcePrefix = "source:";

function entriesNamed({ usable }: Snapshot, routable: readonly string[]): readonly EntryId[] {
  const sources = new Set(routable.filter((name) => name.startsWith(sourcePrefix)));
  const entries = routable.filter((name) => !sources.has(name));
  if (sources.size === 0) return entries;
  const ofSources = [...usable.keys()].filter((entry) =>
    sources.has(sourcePrefix + entry.slice(0, entry.indexOf(":"))),
  );
  return [...entries, ...ofSources];
}
