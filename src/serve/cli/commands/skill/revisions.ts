import { listRevisions, type RevisionLine } from "../../../../app/revisions.ts";
import { safeLine } from "../../../../base/text.ts";
import { exit } from "../../command.ts";
import { renderTable, short, show, when } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const kept = await listRevisions(app, call.args[0] ?? "");
  show(output, call, kept, ({ revisions }) =>
    renderTable(["digest", "first seen", "is", "latest word"], revisions.map(rowOf), output.style),
  );
  return exit.fine;
});

function rowOf({ digest, seenAt, current, inUse, decisions }: RevisionLine): string[] {
  const is = [current ? "current" : "", inUse ? "in use" : ""].filter((word) => word !== "").join(", ");
  const latest = decisions.findLast(({ word }) => word !== "override");
  return [
    short(digest),
    when(seenAt),
    is,
    latest === undefined ? "none" : `${latest.word} by ${safeLine(latest.by)}, ${when(latest.at)}`,
  ];
}
