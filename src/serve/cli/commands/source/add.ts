import { addSource } from "../../../../app/sources.ts";
import { safeLine } from "../../../../base/text.ts";
import { textOption } from "../../call.ts";
import { hint, show } from "../../render.ts";
import { exitOfSyncs, hintAtNext, renderSyncs, syncProgress } from "../../render-sync.ts";
import { sourceWishes } from "../../source-options.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const sync = call.options["sync"] !== false;
  const wishes = { id: textOption(call, "id"), sync, ...sourceWishes(call) };
  const report = await addSource(app, call.args[0] ?? "", wishes, { onProgress: syncProgress(output) });
  output.progress("");
  const { id, url, trust } = report.source;
  show(output, call, report, () => {
    const added = `Added ${output.style("bold", id)} (${trust}): ${safeLine(url, 500)}`;
    return sync ? `${added}\n${renderSyncs(report, output.style)}` : added;
  });
  if (sync) hintAtNext(output, call, report);
  else hint(output, call, `Nothing of it was read yet: skillward source sync ${id}`);
  return exitOfSyncs(report);
});
