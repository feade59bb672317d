import { listSources } from "../../../../registry/sync/sources.ts";
import { exit } from "../../command.ts";
import { renderTable, show, when } from "../../render.ts";
import { withApp } from "../../with-app.ts";
import { safeLine } from "../../../../base/text.ts";

export const run = withApp(async ({ sync, person }, call, output) => {
  const sources = await listSources(sync, person);
  show(output, call, sources, () => {
    if (sources.length === 0) return "No sources yet. Add one: skillward source add <folder>";
    const rows = sources.map(({ id, kind, status, trust, onChange, syncedAt, url }) => [
      id,
      kind,
      status,
      trust,
      onChange,
      when(syncedAt),
      safeLine(url),
    ]);
    return renderTable(["id", "kind", "status", "trust", "on change", "synced", "from"], rows, output.style);
  });
  return exit.fine;
});
