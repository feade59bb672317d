import { AppError } from "../../base/error.ts";
import { nameKey, safeLine } from "../../base/text.ts";
import type { UsableEntry } from "../../registry/snapshot.ts";
import { locate } from "./skill-uri.ts";
import type { View } from "./view.ts";

const mostListed = 10;

/** The skill that a model named: by its id, by its URI, or by a name that only one of those it may read has (SK-15). */
export function findEntry(view: View, typed: string): UsableEntry {
  const known = view.entries.get(typed) ?? locate(view, typed)?.entry;
  if (known !== undefined) return known;
  const [only, ...others] = namesIn(view).get(nameKey(typed)) ?? [];
  if (only !== undefined && others.length === 0) return only;
  // Nobody else's names are told: they are an author's words.
  if (only === undefined)
    throw new AppError(
      "record.missing",
      `there is no skill "${safeLine(typed, 80)}" here; find_skill says what there is`,
    );
  const ids = [only, ...others].map(({ id }) => safeLine(id, 240));
  const more = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : "";
  const listed = `${ids.slice(0, mostListed).join(", ")}${more}`;
  throw new AppError("usage.invalid", `several skills are called that: ${listed}; name one by its id`);
}

type Names = ReadonlyMap<string, readonly UsableEntry[]>;

const known = new WeakMap<View["entries"], Names>();

/** Made once for a view, at the first name that is asked for. */
function namesIn({ entries }: View): Names {
  const names = known.get(entries) ?? groupedByName(entries.values());
  known.set(entries, names);
  return names;
}

function groupedByName(entries: Iterable<UsableEntry>): Names {
  const names = new Map<string, UsableEntry[]>();
  for (const entry of entries) {
    const key = nameKey(entry.name);
    const same = names.get(key);
    if (same === undefined) names.set(key, [entry]);
    else same.push(entry);
  }
  return names;
}
