import type { Finding } from "../../core/finding.ts";
import { fieldsOf } from "../../core/json/json.ts";
import { safeName } from "../../core/text.ts";

type Say = (message: string) => Finding;

const most = 5000;

/** Old names to what they are called at last; null: there is no such plugin any more. Names in a circle lead nowhere. */
export function parseRenames(
  value: unknown,
  say: Say,
): { readonly renames: ReadonlyMap<string, string | null>; readonly findings: readonly Finding[] } {
  const none: ReadonlyMap<string, string | null> = new Map();
  if (value === undefined) return { renames: none, findings: [] };
  const fields = fieldsOf(value);
  if (fields === undefined) return { renames: none, findings: [say("`renames` is not an object; not read")] };
  if (fields.size > most)
    return { renames: none, findings: [say(`\`renames\` has more than ${most} names; not read`)] };
  const steps = new Map<string, string | null>();
  const misshapen: string[] = [];
  for (const [name, to] of fields)
    if (to === null || (typeof to === "string" && to !== "")) steps.set(name, to);
    else misshapen.push(name);
  const { renames, circling } = resolve(steps);
  return {
    renames,
    findings: [
      ...(misshapen.length > 0 ? [say(`${shown(misshapen)}: a new name is text, or null; not read`)] : []),
      ...(circling.length > 0 ? [say(`${shown(circling)}: the new names lead in a circle; not followed`)] : []),
    ],
  };
}

/** Each name is walked over once: what is behind it is known from then on. Null in `ends` stands for itself. */
function resolve(steps: ReadonlyMap<string, string | null>): {
  readonly renames: ReadonlyMap<string, string | null>;
  readonly circling: readonly string[];
} {
  const ends = new Map<string, string | null>();
  const circling = new Set<string>();
  for (const start of steps.keys()) {
    const walked = new Set<string>();
    let at: string | null = start;
    while (at !== null && steps.has(at) && !ends.has(at) && !circling.has(at) && !walked.has(at)) {
      walked.add(at);
      at = steps.get(at) ?? null;
    }
    const isCircle = at !== null && (walked.has(at) || circling.has(at));
    const end = at !== null && ends.has(at) ? (ends.get(at) ?? null) : at;
    for (const name of walked)
      if (isCircle) circling.add(name);
      else ends.set(name, end);
  }
  return { renames: ends, circling: [...circling] };
}

const shownNames = 5;

function shown(names: readonly string[]): string {
  const some = names.slice(0, shownNames).map((name) => `"${safeName(name)}"`);
  return some.join(", ") + (names.length > some.length ? ` and ${names.length - some.length} more` : "");
}
