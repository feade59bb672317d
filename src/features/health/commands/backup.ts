import { backUp } from "../backup.ts";
import { safeLine } from "../../../core/text.ts";
import { shellWord, textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { hint, renderFields, show } from "../../command/render.ts";
import { withStoredApp } from "../../command/with-app.ts";

export const run = withStoredApp(async (app, call, output) => {
  const made = await backUp(app, textOption(call, "to") ?? "");
  show(output, call, made, ({ store, database, checkpoint, seq, keyFile }) =>
    renderFields(
      [
        ["store", store],
        ["database", database === null ? "not copied: see below" : safeLine(database, 240)],
        ["checkpoint", `${safeLine(checkpoint, 240)}, of audit record ${seq}`],
        ["key file", `${safeLine(keyFile, 240)}: not copied; keep a copy of it elsewhere`],
      ],
      output.style,
    ),
  );
  if (made.database === null) {
    const file = shellWord(`${made.folder}/skillward.dump`);
    hint(output, call, `Now, and not before: pg_dump --format=custom --file=${file} "$SKILLWARD_STORE"`);
  }
  return exit.fine;
});
