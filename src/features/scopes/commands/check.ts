import { viewOf } from "../scope-view.ts";
import { exit } from "../../command/command.ts";
import { renderCheck, showVisible } from "../render-scope.ts";
import { scopeCommand } from "./asked.ts";

export const run = scopeCommand((set, call, output) => {
  const isUsable = set.errors.length === 0;
  const { skills, findings } = viewOf(set);
  showVisible(output, call, { usable: isUsable, skills, errors: set.errors, findings }, () =>
    renderCheck({ skills, findings }, isUsable, output.style),
  );
  return isUsable ? exit.fine : exit.findings;
});
