import type { CapabilitySkill } from "./capability.ts";
import { keyOf, rulesOf } from "./resolve.ts";

/**
 * The skills that stand together: strongly connected by `requires`, within one source (SC-3). Those alone are groups of
 * one. Tarjan's way with a list in place of recursion: a chain may be as long as the registry is large.
 */
export function groupsOf(skills: readonly CapabilitySkill[]): CapabilitySkill[][] {
  return componentsOf(requiredBy(skills)).map((group) => group.flatMap((at) => skills[at] ?? []));
}

/** For each skill the places of those it requires: of its own source, and in the set. */
function requiredBy(skills: readonly CapabilitySkill[]): number[][] {
  const places = new Map(skills.map((skill, at) => [keyOf(skill), at]));
  return skills.map((skill) => {
    const own = `${skill.source}/`;
    return (
      rulesOf(skill)
        .filter(({ type }) => type === "requires")
        // What a rule means is looked for everywhere: a namesake of its own source is not meant in place of another's.
        .flatMap(({ keys }) => keys.find((key) => places.has(key)) ?? [])
        .filter((key) => key.startsWith(own))
        .flatMap((key) => places.get(key) ?? [])
    );
  });
}

interface Visit {
  readonly node: number;
  next: number;
}

function componentsOf(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isOpen = new Uint8Array(edges.length);
  const open: number[] = [];
  const components: number[][] = [];
  let count = 0;

  const enter = (node: number): Visit => {
    order[node] = low[node] = count++;
    isOpen[node] = 1;
    open.push(node);
    return { node, next: 0 };
  };
  const reach = (node: number, at: number | undefined) => {
    low[node] = Math.min(low[node] ?? 0, at ?? 0);
  };
  const close = (root: number): number[] => {
    const members = open.splice(open.lastIndexOf(root));
    for (const member of members) isOpen[member] = 0;
    return members;
  };

  for (let start = 0; start < edges.length; start++) {
    if (order[start] !== -1) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { node } = visit;
      const to = edges[node]?.[visit.next++];
      if (to === undefined) {
        path.pop();
        const from = path.at(-1)?.node;
        if (from !== undefined) reach(from, low[node]);
        if (low[node] === order[node]) components.push(close(node));
      } else if (order[to] === -1) path.push(enter(to));
      else if (isOpen[to] === 1) reach(node, order[to]);
    }
  }
  return components;
}
