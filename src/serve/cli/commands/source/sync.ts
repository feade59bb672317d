import { syncSources } from "../../../../app/syncs.ts";
import { show } from "../../render.ts";
import { exitOfSyncs, hintAtNext, renderSyncs, syncProgress } from "../../render-sync.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const repair = call.options["repair"] === true;
  const report = await syncSources(app, call.args, { repair, onProgress: syncProgress(output) });
  output.progress("");
  show(output, call, report, () => renderSyncs(report, output.style));
  hintAtNext(output, call, report);
  return exitOfSyncs(report);
});
