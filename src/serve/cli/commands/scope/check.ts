import { viewOf } from "../../../../app/scope/scope-view.ts";
import { exit } from "../../command.ts";
import { show } from "../../render.ts";
import { renderCheck } from "../../render-scope.ts";
import { scopeCommand } from "./asked.ts";

export const run = scopeCommand((set, call, output) => {
  const isUsable = set.errors.length === 0;
  const { skills, findings } = viewOf(set);
  show(output, call, { usable: isUsable, skills, errors: set.errors, findings }, () =>
    renderCheck({ skills, findings }, isUsable, output.style),
  );
  return isUsable ? exit.fine : exit.findings;
});
