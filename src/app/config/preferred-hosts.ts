import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { HostSets } from "../../net/host-set.ts";

/** The one that was named comes first: it is what a short form means. */
export function preferring(name: string | undefined, sets: HostSets): HostSets {
  if (name === undefined) return sets;
  const first = sets.find((each) => each.name === name);
  if (first !== undefined) return [first, ...sets.filter((set) => set !== first)];
  const known = sets.map((each) => each.name).join(", ");
  throw new AppError(
    "usage.invalid",
    `there is no GitHub "${safeLine(name)}" in the configuration; there is: ${known}`,
  );
}
