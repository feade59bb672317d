import { listSkillTriggers } from "../triggers.ts";
import { safeLine } from "../../../core/text.ts";
import { exit } from "../../command/command.ts";
import { renderFindings, renderTable, show } from "../../command/render.ts";
import { shownId } from "../../skills/render.ts";
import { withApp } from "../../command/with-app.ts";

export const run = withApp(async (app, call, output) => {
  const listed = await listSkillTriggers(app);
  show(output, call, listed, ({ triggers }) => {
    if (triggers.length === 0) return 'No triggers yet. Set one: skillward trigger add <skill> "<phrase>"';
    const rows = triggers.flatMap(({ entry, state, phrases }) =>
      phrases.map((phrase) => [shownId(entry), state, safeLine(phrase, 240)]),
    );
    return renderTable(["entry", "state", "phrase"], rows, output.style);
  });
  if (call.options["json"] !== true)
    for (const line of renderFindings(listed.findings, output.style)) output.note(line);
  return listed.findings.length === 0 ? exit.fine : exit.findings;
});
