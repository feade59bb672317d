import { backUp } from "../../../app/backup.ts";
import { safeLine } from "../../../base/text.ts";
import { textOption } from "../call.ts";
import { exit } from "../command.ts";
import { hint, renderFields, show } from "../render.ts";
import { shellWord } from "../shell-word.ts";
import { withStoredApp } from "../with-app.ts";

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
