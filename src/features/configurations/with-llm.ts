import type { permitLlm } from "../../models/context.ts";
import type { App } from "../../app/app.ts";
import type { Right } from "../../registry/accounts/roles.ts";
import type { Call, ExitCode, Run } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { withApp } from "../command/with-app.ts";

type LlmOf<R extends Right> = ReturnType<typeof permitLlm<R>>;

/** A command about models in the hands of somebody with this right: it is checked before anything is read or asked for. */
export function withLlm<R extends Right>(
  right: R,
  run: (llm: LlmOf<R>, call: Call, output: Output, app: App) => Promise<ExitCode>,
): Run {
  return withApp(async (app, call, output) => {
    const context = await import("../../models/context.ts");
    return run(context.permitLlm(app, right), call, output, app);
  });
}
