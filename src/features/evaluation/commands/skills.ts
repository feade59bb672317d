import { caseAgents } from "../../agent/case-agent.ts";
import { readEnvironment } from "../../../app/config/config.ts";
import { evaluateSkills } from "../eval-skills.ts";
import { parseShare } from "../routing-gate.ts";
import { createWorld } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import type { OpenAgent } from "../../../agent/evaluation/run-case.ts";
import { mostRuns } from "../../../agent/evaluation/skill-case.ts";
import { jsonWithoutOrders, renderVisibleJson } from "../../command/safe-output.ts";
import { countOption, textOption } from "../../command/call.ts";
import { type Call, exit, type Run } from "../../command/command.ts";
import { renderSkillsEvaluation } from "../render-skill-eval.ts";

export const run: Run = (call, output) => evaluateWith(caseAgents(createWorld(), readEnvironment()))(call, output);

/** The command with another agent, for tests. */
export function evaluateWith(agent: OpenAgent): Run {
  return async (call, output) => {
    const { files, folders } = createWorld();
    const evaluation = await output.untilInterrupted((signal) =>
      evaluateSkills({ files, folders, openAgent: agent }, call.args[0] ?? "", {
        model: textOption(call, "model"),
        runs: runsOf(call),
        minRate: parseShare("--min-rate", textOption(call, "minRate") ?? "1"),
        update: call.options["update"] === true,
        allowCommands: call.options["allowCommands"] === true,
        signal,
        onProgress: (done, total, name) => output.progress(`case ${done + 1} of ${total}: ${name}`),
      }),
    );
    output.progress("");
    output.print(
      call.options["json"] === true
        ? jsonWithoutOrders(renderVisibleJson(evaluation))
        : renderSkillsEvaluation(evaluation, output.style),
    );
    if (evaluation.findings.length > 0) return exit.usage;
    return evaluation.passes ? exit.fine : exit.findings;
  };
}

function runsOf(call: Call): number | undefined {
  const runs = countOption(call, "runs");
  if (runs === undefined || runs <= mostRuns) return runs;
  throw new AppError("usage.invalid", `--runs: expected at most ${mostRuns}`);
}
