import { hasPrefix } from "./calls.ts";
import { lastRefused } from "./command-refusals.ts";
import { mayMeet } from "./paths.ts";
import type { ForbiddenTool, ToolArgument, ToolPattern } from "./tools.ts";

/** Whether every call that fits the narrow entry fits the wide one. False when in doubt. */
export function covers(wide: ToolPattern, narrow: ToolPattern): boolean {
  if (!narrow.tools.every((tool) => wide.tools.includes(tool))) return false;
  return wide.argument === null || (narrow.argument !== null && coversArgument(wide.argument, narrow.argument));
}

function coversArgument(wide: ToolArgument, narrow: ToolArgument): boolean {
  if (wide.kind === "command") {
    if (narrow.kind !== "command" || !startsWith(narrow.words, wide.words)) return false;
    if (narrow.words.length === wide.words.length) return wide.isOpen || !narrow.isOpen;
    // What is refused beyond its own words the wide one does not let through.
    return wide.isOpen && (lastRefused(narrow.words)?.at ?? -1) < wide.words.length;
  }
  return narrow.kind === "path" && coversPath(wide.segments, narrow.segments);
}

/** The same pattern, or `**` in a folder that the narrow one starts with. */
function coversPath(wide: readonly string[], narrow: readonly string[]): boolean {
  if (wide.length === narrow.length && startsWith(narrow, wide)) return true;
  return wide.at(-1) === "**" && narrow.length >= wide.length && startsWith(narrow, wide.slice(0, -1));
}

function startsWith(all: readonly string[], head: readonly string[]): boolean {
  return all.length >= head.length && head.every((one, at) => one === all[at]);
}

/** Whether some call that fits the entry may be forbidden. True when in doubt. */
export function overlaps({ reach }: ForbiddenTool, pattern: ToolPattern): boolean {
  switch (reach.kind) {
    case "everything":
      return true;
    case "prefix":
      return pattern.tools.some((tool) => hasPrefix(tool, reach.prefix));
    case "tools":
      return pattern.tools.some((tool) => reach.tools.includes(tool));
    case "paths":
      if (!pattern.tools.some((tool) => reach.tools.includes(tool))) return false;
      return pattern.argument?.kind !== "path" || mayMeet(reach.segments, pattern.argument.segments);
  }
}
