import { evaluateScan } from "../eval-scan.ts";
import { createWorld } from "../../../app/world/world.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { renderEvaluation } from "../render-evaluation.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";

export async function run({ args, options }: Call, output: Output): Promise<ExitCode> {
  const [path = ""] = args;
  const every = 50;
  const evaluation = await evaluateScan(createWorld(), path, {
    list: options["list"] === true,
    onProgress: (done) => (done % every === 0 ? output.progress(`scanning: ${done}`) : undefined),
  });
  output.progress("");
  output.print(options["json"] === true ? renderVisibleJson(evaluation) : renderEvaluation(evaluation, output.style));
  return exit.fine;
}
