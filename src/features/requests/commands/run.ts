import type { Answered } from "../answers.ts";
import type { App } from "../../../app/app.ts";
import { Serving } from "../../serving.ts";
import { requestId } from "../../../core/request-id.ts";
import { listOption } from "../../command/call.ts";
import { type Call, exit, type Run } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { readInput } from "../../command/read-input.ts";
import { plural, renderFindings } from "../../command/render.ts";
import { printAnswer, renderVisibleJson } from "../../command/safe-output.ts";
import { withApp } from "../../command/with-app.ts";

export const run: Run = (call, output) =>
  output.untilInterrupted(async (signal) => {
    // Before the store is opened: whoever types it may take their time.
    const input = call.args[1] ?? (await readInput(output.keyboard.input, signal));
    const act = withApp(async (app) => {
      print(await runTask(app, call, input, signal), call, output);
      return exit.fine;
    });
    return act(call, output);
  });

async function runTask(app: App, call: Call, input: string, signal: AbortSignal): Promise<Answered> {
  const serving = new Serving(app);
  try {
    const [task = ""] = call.args;
    const request = requestId(undefined, app.world.random);
    const skills = listOption(call, "skill");
    return await serving.answers.runTask(app.person, { request, task, input, skills, signal });
  } finally {
    // What was injected is written down before the command ends.
    await serving.close();
  }
}

function print(answered: Answered, { options }: Call, output: Output): void {
  if (options["json"] === true) return output.print(renderVisibleJson(answered));
  printAnswer(answered.text, options["raw"] === true, output.screen);
  const { id, generation, included, dropped } = answered.injection;
  const sum = `${plural(included, "skill")} injected, ${dropped} dropped, generation ${generation}: ${id}`;
  output.note([output.style("dim", sum), ...renderFindings(answered.findings, output.style)].join("\n"));
}
