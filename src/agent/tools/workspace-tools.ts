import { AppError } from "../../core/error.ts";
import type { Processes } from "../../core/world.ts";
import type { Tool } from "../tool.ts";
import { isAbsoluteFolder } from "./inputs.ts";
import { listTool, readTool } from "./read.ts";
import { patchTool } from "./patch.ts";
import { replaceTool, writeTool } from "./write.ts";
import { searchTool } from "./search.ts";
import { shellTool } from "./shell.ts";
import type { Workspace } from "./workspace-file.ts";

export interface WorkspaceToolsOptions extends Workspace {
  readonly processes: Processes;
}

/** The tools of an agent on one workspace (AG-7). They hold no state: a primary and its sub-agents use the same. */
export function createWorkspaceTools(options: WorkspaceToolsOptions): readonly Tool[] {
  if (!isAbsoluteFolder(options.root))
    throw new AppError("usage.invalid", "root: the workspace is an absolute folder, by its real path");
  return [
    readTool(options),
    listTool(options),
    searchTool(options),
    writeTool(options),
    replaceTool(options),
    patchTool(options),
    shellTool(options),
  ];
}
