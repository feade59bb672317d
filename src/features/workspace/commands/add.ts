import { planAddition } from "../../../workspace/add.ts";
import { placeSkill } from "../../../workspace/place.ts";
import { skillsFolder } from "../../../skill/agent-folders.ts";
import { shellWord, textOption } from "../../command/call.ts";
import { exit, type ExitCode } from "../../command/command.ts";
import { confirm } from "../../command/ask-secret.ts";
import { hint } from "../../command/render.ts";
import { renderOffer, renderRefusal } from "../render-publish.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { withPublishing } from "../with-publishing.ts";

export const run = withPublishing(false, async (publishing, call, output): Promise<ExitCode> => {
  const typed = call.args[0] ?? "";
  const { offer, placement } = await planAddition(publishing, typed, textOption(call, "ref") ?? null);
  const { root } = publishing.workspace;
  const isJson = call.options["json"] === true;
  const end = (state: "added" | "refused" | "not added", code: ExitCode) => {
    if (isJson) output.print(renderVisibleJson({ root, state, skill: offer }));
    return code;
  };
  output.progress("");
  if (!isJson) output.print(renderOffer(offer, output.style));
  if (placement === null) {
    hint(output, call, renderRefusal(offer, `add ${shellWord(typed)}`));
    return end("refused", exit.findings);
  }
  const answer = await confirm(call, `Add it to ${skillsFolder}/${offer.folder}?`, output.keyboard);
  if (answer !== "yes") {
    output.note(
      answer === "no" ? "Nothing was written." : "Nothing was written: nobody was there to ask; --yes says yes.",
    );
    return end("not added", exit.findings);
  }
  await placeSkill(publishing.disk, root, placement);
  if (!isJson) output.print(`Added ${skillsFolder}/${offer.folder} and locked it in skillward.lock`);
  return end("added", exit.fine);
});
