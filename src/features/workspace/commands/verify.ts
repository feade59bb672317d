import { createWorld } from "../../../app/world/world.ts";
import { verifyWorkspace } from "../../../workspace/verify.ts";
import { demandLocked, openWorkspace } from "../../../workspace/workspace.ts";
import { textOption } from "../../command/call.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { renderVerification } from "../render-publish.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";

/** Needs no configuration, no network and no right to write. */
export async function run(call: Call, output: Output): Promise<ExitCode> {
  const world = createWorld();
  const workspace = await openWorkspace(world.files, textOption(call, "dir"));
  demandLocked(workspace);
  const found = await verifyWorkspace(world, workspace);
  output.print(call.options["json"] === true ? renderVisibleJson(found) : renderVerification(found, output.style));
  return found.passes ? exit.fine : exit.findings;
}
