import { addApiKey } from "../../../../app/api-keys.ts";
import { listOption, textOption } from "../../call.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { hintAtReviewers, renderKey } from "../../render-accounts.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const { record, text } = await addApiKey(app, {
    name: call.args[0] ?? "",
    role: textOption(call, "role") ?? "",
    user: textOption(call, "user"),
    configurations: listOption(call, "configuration"),
  });
  show(output, call, { ...record, key: text }, () =>
    [
      renderKey(record, output.style),
      "",
      output.style("bold", text),
      "",
      "This is the key. It is not shown again. Clients of the gateway send it; the command line takes SKILLWARD_API_KEY.",
    ].join("\n"),
  );
  hintAtReviewers(app, record.role, call, output);
  return exit.fine;
});
