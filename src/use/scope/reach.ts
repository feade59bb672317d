import { hasPrefix } from "../../base/tools/calls.ts";
import type { ForbiddenTool } from "../../base/tools/tools.ts";

/** Whether every call of a tool is forbidden by an entry; what it forbids only on some paths is not. */
export function forbidsAll({ reach }: ForbiddenTool, tool: string): boolean {
  switch (reach.kind) {
    case "tools":
      return reach.tools.includes(tool);
    case "paths":
      return false;
    case "prefix":
      return hasPrefix(tool, reach.prefix);
    case "everything":
      return true;
  }
}
