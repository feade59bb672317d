import { addBlock } from "../../../../app/blocks.ts";
import { exit } from "../../command.ts";
import { hint, show } from "../../render.ts";
import { blockWanted, renderBlocked } from "../../render-block.ts";
import { withApp } from "../../with-app.ts";

export const run = withApp(async (app, call, output) => {
  const blocked = await addBlock(app, blockWanted(call));
  show(output, call, blocked, () => renderBlocked(blocked, output.style));
  if (!blocked.known)
    hint(output, call, "Nothing in the registry fits it now: check what you typed. It holds for whatever comes.");
  return exit.fine;
});
