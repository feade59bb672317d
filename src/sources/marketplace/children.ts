import { isRecord, parseJson } from "../../core/json/json.ts";
import type { ChildState, Source } from "../schema.ts";

/**
 * What became of one plugin of a marketplace at the last sync (IN-14). `read`: its skills are here. `listed`: it is
 * there and nobody picked it. `refused`: its entry cannot be followed. `failed`: its repository could not be read.
 * `unreached`: the sync ended before it.
 */
export const childOutcomes = ["read", "listed", "refused", "failed", "unreached"] as const;
/** The children as they were left. What cannot be read is forgotten: the next sync finds out again. */
export function parseChildren(cursor: string | null): readonly ChildState[] {
  const stored = parseJson(cursor ?? "[]");
  return Array.isArray(stored) ? stored.flatMap(parseChild) : [];
}

/** The children as they were left, as the next sync asks for them. */
export interface ChildrenBefore {
  /** The first of a name counts, as in the index: behind it are those that were refused because of it. */
  readonly byName: ReadonlyMap<string, ChildState>;
  /** Where there were skills of any of them; null: nothing is known of anything. */
  readonly places: ReadonlySet<string> | null;
}

export function childrenBefore({ cursor }: Pick<Source, "cursor">): ChildrenBefore {
  const children = parseChildren(cursor);
  const byName = new Map(children.map((child) => [child.name, child] as const).toReversed());
  const places = children.flatMap(({ where, skills, paths }) =>
    where === null || skills + paths.length === 0 ? [] : [where],
  );
  return { byName, places: children.length === 0 ? null : new Set(places) };
}

/** Of one that nothing is known of. */
export const unknownChild = {
  where: null,
  commit: null,
  repositoryId: null,
  ownerId: null,
  ref: null,
  skills: 0,
  settled: null,
  under: null,
  paths: [],
  trees: null,
} satisfies Partial<ChildState>;

export function renderChildren(children: readonly ChildState[]): string {
  return JSON.stringify(children);
}

function parseChild(stored: unknown): ChildState[] {
  if (!isRecord(stored)) return [];
  const text = (key: string) => (typeof stored[key] === "string" ? stored[key] : null);
  const number = (key: string) => (typeof stored[key] === "number" ? stored[key] : null);
  const paths: readonly unknown[] = Array.isArray(stored["paths"]) ? stored["paths"] : [];
  const name = text("name");
  const outcome = childOutcomes.find((known) => known === stored["outcome"]);
  if (name === null || outcome === undefined) return [];
  return [
    {
      name,
      outcome,
      where: text("where"),
      commit: text("commit"),
      repositoryId: number("repositoryId"),
      ownerId: number("ownerId"),
      ref: text("ref"),
      skills: number("skills") ?? 0,
      settled: text("settled"),
      under: text("under"),
      paths: paths.filter((path) => typeof path === "string"),
      trees: text("trees"),
      reason: text("reason"),
    },
  ];
}
