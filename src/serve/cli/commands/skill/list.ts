import { listSkills, type Skills } from "../../../../app/skills.ts";
import { states } from "../../../../registry/state.ts";
import { countOption, textOption, typedAgain } from "../../call.ts";
import { type Call, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { renderTable, short, show } from "../../render.ts";
import { renderMore, renderNoticed, shownId } from "../../render-registry.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const skills = await listSkills(app, {
    state: states.find((state) => state === call.options["state"]),
    source: textOption(call, "source"),
    limit: countOption(call, "limit"),
    after: textOption(call, "after"),
  });
  show(output, call, skills, () => renderSkills(skills, call, output.style));
  return skills.noticed.length === 0 ? exit.fine : exit.findings;
});

function renderSkills(skills: Skills, call: Call, style: Output["style"]): string {
  const rows = skills.items.map(({ name, entry, state, inUse, current, trust, source }) => [
    name,
    shownId(entry),
    state,
    short(inUse ?? current),
    trust ?? "–",
    source,
  ]);
  const table = renderTable(["name", "entry", "state", "digest", "trust", "source"], rows, style);
  const filters = typedAgain(call, ["state", "source", "limit"]);
  return [
    rows.length === 0 ? nothing(filters !== "") : table,
    ...renderMore(skills, `skillward skill list${filters}`),
    ...renderNoticed(skills.noticed, style),
  ].join("\n");
}

function nothing(isFiltered: boolean): string {
  return isFiltered ? "No skill fits." : "No skills yet. Add a source: skillward source add owner/repo";
}
