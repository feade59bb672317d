import { listSourceLines } from "../../../../app/sources.ts";
import { exit } from "../../command.ts";
import { hint, plural, renderTable, short, show, when } from "../../render.ts";
import { placeOf } from "../../render-source.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const sources = (await listSourceLines(app)).map(({ source }) => source);
  show(output, call, sources, () => {
    if (sources.length === 0) return "No sources yet. Add one: skillward source add owner/repo";
    const rows = sources.map((source) => [
      source.id,
      source.kind,
      source.enabled ? source.status : "off",
      source.trust,
      source.onChange,
      when(source.syncedAt),
      source.pin === null ? "-" : short(source.pin),
      placeOf(source),
    ]);
    return renderTable(["id", "kind", "status", "trust", "on change", "synced", "pin", "from"], rows, output.style);
  });
  const failed = sources.filter(({ status }) => status === "error").length;
  if (failed > 0)
    hint(output, call, `${plural(failed, "source")} with an error: skillward source show <id> says which`);
  return exit.fine;
});
