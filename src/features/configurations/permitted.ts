import type { App } from "../../app/app.ts";
import { permitLlm } from "../../models/context.ts";
import type { Right } from "../../registry/accounts/roles.ts";

type PermittedLlm<R extends Right> = ReturnType<typeof permitLlm<R>>;

/** RV-12: a flow that checks this right of the person first, and hands the permit to what it calls. */
export function permitted<R extends Right, Args extends readonly unknown[], Result>(
  right: R,
  act: (llm: PermittedLlm<R>, ...args: Args) => Promise<Result>,
): (app: App, ...args: Args) => Promise<Result> {
  return async (app, ...args) => act(permitLlm(app, right), ...args);
}
