import { installLocked } from "../../../workspace/install.ts";
import { type ExitCode, exit } from "../../command/command.ts";
import { hint } from "../../command/render.ts";
import { exitOfFailures, renderInstalled, renderRefusal } from "../render-publish.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { withPublishing } from "../with-publishing.ts";

export const run = withPublishing(true, async (publishing, call, output): Promise<ExitCode> => {
  const skills = await installLocked(publishing, call.options["frozen"] === true);
  const { root } = publishing.workspace;
  output.progress("");
  if (call.options["json"] === true) output.print(renderVisibleJson({ root, skills }));
  else output.print(skills.map((each) => renderInstalled(each, output.style)).join("\n") || "Nothing is locked.");
  const refused = [...new Set(skills.flatMap((each) => each.refused ?? []))];
  const typed = call.options["frozen"] === true ? "install --frozen" : "install";
  if (refused.length > 0) hint(output, call, renderRefusal({ refused }, typed));
  const isFine = skills.every(({ state }) => state === "unchanged" || state === "installed" || state === "replaced");
  return isFine ? exit.fine : exitOfFailures(skills);
});
