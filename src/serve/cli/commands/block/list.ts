import { listBlocks } from "../../../../app/blocks.ts";
import { safeLine } from "../../../../base/text.ts";
import { exit } from "../../command.ts";
import { renderTable, short, show, when } from "../../render.ts";
import { shownId } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const blocks = await listBlocks(app);
  show(output, call, blocks, () => {
    if (blocks.length === 0) return "Nothing is blocked.";
    const rows = blocks.map(({ kind, value, at, by, note }) => [
      kind,
      kind === "digest" ? short(value) : shownId(value),
      when(at),
      safeLine(by),
      safeLine(note, 500),
    ]);
    return renderTable(["kind", "what", "since", "by", "why"], rows, output.style);
  });
  return exit.fine;
});
