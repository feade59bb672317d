import { readEnvironment } from "../../../app/config/config.ts";
import type { Check } from "../doctor/check.ts";
import { diagnosisOf, examine } from "../doctor/doctor.ts";
import { createWorld } from "../../../app/world/world.ts";
import { withoutOrders } from "../../command/safe-output.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { show } from "../../command/render.ts";
import { openingOptions } from "../../command/with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const { json, offline } = call.options;
  const options = { ...openingOptions(call), workspace: output.folder, offline: offline === true };
  const checks: Check[] = [];
  for await (const check of examine(createWorld(), readEnvironment(), options)) {
    checks.push(check);
    if (json !== true) output.print(withoutOrders(renderCheck(check, output.style)));
  }
  const diagnosis = diagnosisOf(checks);
  show(output, call, diagnosis, renderCount);
  return diagnosis.passes ? exit.fine : exit.findings;
}

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

/** Of the longest name: lines are printed as they come. */
const width = "configuration".length;

function renderCheck({ name, state, says, todo }: Check, style: Output["style"]): string {
  const line = `${style(colours[state], state.padEnd(4))}  ${name.padEnd(width)}  ${says}`;
  return todo === null ? line : `${line}\n${" ".repeat(width + 8)}${style("dim", `→ ${todo}`)}`;
}

function renderCount({ checks }: { readonly checks: readonly Check[] }): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  return `${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} to mend`;
}
