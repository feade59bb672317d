import { liftBlock } from "../../../../app/blocks.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { blockWanted, renderBlocked } from "../../render-block.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  show(output, call, await liftBlock(app, blockWanted(call)), (lifted) => renderBlocked(lifted, output.style));
  return exit.fine;
});
