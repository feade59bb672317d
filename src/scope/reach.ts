import { hasPrefix } from "./tools/calls.ts";
import type { ForbiddenTool, ToolPattern } from "./tools/tools.ts";
import { forbidsBelow } from "./path-entries.ts";

/** Whether every call of a tool is forbidden by an entry; what it forbids only on some paths is not. */
export function forbidsAll({ reach }: ForbiddenTool, tool: string): boolean {
  switch (reach.kind) {
    case "tools":
      return reach.tools.includes(tool);
    case "paths":
      return reach.tools.includes(tool) && reach.segments.every((segment) => segment === "**");
    case "prefix":
      return hasPrefix(tool, reach.prefix);
    case "everything":
      return true;
  }
}

/** Whether every call that an entry lets through is forbidden by another one. False when in doubt. */
export function forbidsEvery(entry: ForbiddenTool, { tools, argument }: ToolPattern): boolean {
  if (tools.every((tool) => forbidsAll(entry, tool))) return true;
  const { reach } = entry;
  if (reach.kind !== "paths" || argument?.kind !== "path") return false;
  return tools.every((tool) => reach.tools.includes(tool)) && forbidsBelow(reach.segments, argument.segments);
}
