import { replaySpool } from "../../../../app/usage-log.ts";
import { exit } from "../../command.ts";
import { renderFindings, show } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const replayed = await replaySpool(app);
  show(output, call, replayed, ({ batches, findings }) =>
    [`batches of usage that were written into the store: ${batches}`, ...renderFindings(findings, output.style)].join(
      "\n",
    ),
  );
  return replayed.findings.length === 0 ? exit.fine : exit.findings;
});
