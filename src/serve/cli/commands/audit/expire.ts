import { expireOldUsage } from "../../../../app/audit.ts";
import { exit } from "../../command.ts";
import { show, when } from "../../render.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const expired = await expireOldUsage(app);
  show(output, call, expired, () => {
    if (expired === null) return "Usage is kept forever (usage.retention-days): nothing was removed.";
    return `batches of usage from before ${when(expired.before)} that were removed: ${expired.batches}`;
  });
  return exit.fine;
});
