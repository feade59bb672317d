import { type AddReport, addSource } from "../../../../app/add-source.ts";
import { safeLine } from "../../../../base/text.ts";
import { sourceKinds } from "../../../../ingest/source/source.ts";
import { textOption } from "../../call.ts";
import { type Call, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { hint, show } from "../../render.ts";
import { placeOf } from "../../render-source.ts";
import { exitOfSyncs, hintAtNext, renderSyncs, syncProgress } from "../../render-sync.ts";
import { sourceWishes } from "../../source-options.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const sync = call.options["sync"] !== false;
  const onProgress = syncProgress(output);
  const report = await addSource(app, call.args[0] ?? "", { sync, ...addWishes(call) }, { onProgress });
  output.progress("");
  show(output, call, report, () => renderAddition(report, output.style));
  hintAtSync(output, call, report);
  const code = exitOfSyncs(report);
  return code === exit.fine && report.notApproved !== null ? exit.findings : code;
});

function renderAddition(report: AddReport, style: Output["style"]): string {
  const { id, kind, trust } = report.source;
  const what = kind === "folder" ? trust : `${kind}, ${trust}`;
  const lines = [`Added ${style("bold", id)} (${what}): ${placeOf(report.source)}`];
  if (report.results.length > 0) lines.push(renderSyncs(report, style));
  if (report.approved !== null) lines.push(`Approved ${report.approved.entry} at ${report.approved.digest}`);
  if (report.notApproved !== null) lines.push(`${style("red", "Not approved")}: ${safeLine(report.notApproved, 500)}`);
  return lines.join("\n");
}

/** It is added, however its first sync ended. */
function hintAtSync(output: Output, call: Call, report: AddReport): void {
  const { id } = report.source;
  if (report.results.length === 0) hint(output, call, `Nothing of it was read yet: skillward source sync ${id}`);
  else if (report.results[0]?.status === "error")
    hint(
      output,
      call,
      `It stays added. Try again: skillward source sync ${id}; take it out: skillward source remove ${id}`,
    );
  hintAtNext(output, call, report);
}

function addWishes(call: Call) {
  const kind = sourceKinds.filter((each) => each !== "folder").find((each) => each === call.options["kind"]);
  const [ref, hosts] = [textOption(call, "ref"), textOption(call, "hosts")];
  const approve = call.options["approve"] === true;
  return { id: textOption(call, "id"), ref, hosts, kind, approve, ...sourceWishes(call) };
}
