import { readEnvironment } from "../../../app/config.ts";
import type { Check } from "../../../app/doctor/check.ts";
import { diagnose } from "../../../app/doctor/doctor.ts";
import { createWorld } from "../../../app/world.ts";
import { type Call, type ExitCode, exit } from "../command.ts";
import type { Output } from "../output.ts";
import { show } from "../render.ts";
import { openingOptions } from "../with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const options = { ...openingOptions(call), workspace: process.cwd() };
  const diagnosis = await diagnose(createWorld(), readEnvironment(), options);
  show(output, call, diagnosis, ({ checks }) => renderChecks(checks, output.style));
  return diagnosis.passes ? exit.fine : exit.findings;
}

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

function renderChecks(checks: readonly Check[], style: Output["style"]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, says, todo }) => [
    `${style(colours[state], state.padEnd(4))}  ${name.padEnd(width)}  ${says}`,
    ...(todo === null ? [] : [`${" ".repeat(width + 8)}${style("dim", `→ ${todo}`)}`]),
  ]);
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  return [...lines, `${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} to mend`].join("\n");
}
