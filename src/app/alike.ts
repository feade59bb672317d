import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import { safeLine } from "../base/text.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { Summary } from "../registry/revision.ts";
import { findAlike, type Named, skeletonOf } from "../review/alike.ts";
import { reviewFaults } from "../review/review-faults.ts";

/** T32: of each entry that is asked for, the skills of others whose names can be taken for its own; most have none. */
export function alikeFindings(look: Look, wanted: readonly Entry[]): ReadonlyMap<EntryId, readonly Finding[]> {
  const present = [...look.facts.entries.values()].filter((entry) => entry.present);
  const alike = findAlike(namesOf(look, wanted), namesOf(look, present));
  return new Map([...alike].map(([id, others]) => [id, [findingOf(others)]]));
}

function namesOf({ facts }: Look, entries: readonly Entry[]): Named[] {
  return entries.flatMap(({ id, current, source, repositoryId }) => {
    const summary = facts.summaries.get(current);
    const publisher = repositoryId === null ? source : `repository ${repositoryId}`;
    return summary === undefined ? [] : [{ id, bytes: current, publisher, skeleton: skeletonIn(summary) }];
  });
}

const mostNamed = 5;

function findingOf(others: readonly EntryId[]): Finding {
  const named = others.slice(0, mostNamed).map((other) => safeLine(other, 240));
  const rest = others.length > mostNamed ? " and more" : "";
  const message = `its name can be taken for that of ${named.join(", ")}${rest}`;
  return { code: "name.alike", level: reviewFaults["name.alike"].level, message, at: { file: "SKILL.md", line: 1 } };
}

/** Of every name once: there can be a hundred thousand. */
const skeletons = new WeakMap<Summary, string>();

function skeletonIn(summary: Summary): string {
  const skeleton = skeletons.get(summary) ?? skeletonOf(summary.name);
  skeletons.set(summary, skeleton);
  return skeleton;
}
