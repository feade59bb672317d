import { explainCall } from "../scope-view.ts";
import { textOption } from "../../command/call.ts";
import { exit } from "../../command/command.ts";
import { renderExplained, showVisible } from "../render-scope.ts";
import { scopeCommand } from "./asked.ts";

export const run = scopeCommand((set, call, output) => {
  const explained = explainCall(set, textOption(call, "call") ?? "");
  showVisible(output, call, explained, (view) => renderExplained(view, output.style));
  return explained.decision === "allow" ? exit.fine : exit.findings;
});
