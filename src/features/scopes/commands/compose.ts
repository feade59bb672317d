import { viewOf } from "../scope-view.ts";
import { exit } from "../../command/command.ts";
import { renderScope, showVisible } from "../render-scope.ts";
import { scopeCommand } from "./asked.ts";

export const run = scopeCommand((set, call, output) => {
  showVisible(output, call, viewOf(set), (view) => renderScope(view, set.isGiven, output.style));
  return set.errors.length === 0 ? exit.fine : exit.findings;
});
