import type { App } from "../../../../app/app.ts";
import { approveClean, type CleanReport } from "../../../../app/approve-clean.ts";
import { safeLine } from "../../../../base/text.ts";
import { textOption } from "../../call.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { plural, renderTable, show } from "../../render.ts";
import { renderSection, shownId } from "../../render-registry.ts";

export async function approveWhatIsClean(app: App, call: Call, output: Output): Promise<ExitCode> {
  const report = await approveClean(app, {
    source: textOption(call, "source"),
    withoutGrants: call.options["grants"] === false,
    note: textOption(call, "note"),
    onProgress: progressOn(output, "approving"),
  });
  show(output, call, report, () => renderClean(report, output.style));
  return exit.fine;
}

/** A person reads no more than this; `review` lists them all. */
const mostListed = 50;

function renderClean({ approved, withGrants, leftOut }: CleanReport, style: Output["style"]): string {
  const tools = withGrants.length === 0 ? "" : `, ${withGrants.length} of them with pre-approved tools`;
  const rows = leftOut.slice(0, mostListed).map(({ entry, why }) => [shownId(entry), safeLine(why, 500)]);
  const rest = leftOut.length - rows.length;
  const more = rest > 0 ? [`${rest} more: skillward review`] : [];
  const table = rows.length === 0 ? [] : [renderTable(["entry", "why"], rows, style), ...more];
  const title = `${plural(leftOut.length, "skill")} left for a closer look`;
  return [`Approved ${plural(approved.length, "skill")}${tools}`, ...renderSection(title, table, style)].join("\n");
}
