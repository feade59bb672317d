import { type Candidates, folderCandidates, namedCandidates } from "../candidates.ts";
import { isBuiltIn, lookAtScope, type ScopeSet } from "../scope-set.ts";
import { demandTools, storedCandidates } from "../stored-scope.ts";
import { loadWorkspaceFile } from "../../../app/config/workspace-file.ts";
import { createWorld } from "../../../app/world/world.ts";
import { splitTools } from "../../../skill/tools.ts";

import { refuseOptions, textOption } from "../../command/call.ts";
import type { Call, ExitCode, Run } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { withApp } from "../../command/with-app.ts";

const storeOptions = ["config", "data", "acceptRollback"];

type Show = (set: ScopeSet, call: Call, output: Output) => ExitCode;

/**
 * The three commands differ in what they show of one and the same set. Wherever its skills come from, what the
 * `skillward.yaml` of the folder one stands in forbids is forbidden (invariant 10).
 */
export function scopeCommand(showSet: Show): Run {
  return async (call, output) => {
    const world = createWorld();
    const { narrowing, findings } = await loadWorkspaceFile(world.files, await world.files.resolve("."));
    const asked = { ...askedIn(call), forbidden: narrowing.forbiddenTools };
    const act = (candidates: Candidates): ExitCode => {
      const set = lookAtScope(candidates, asked);
      return showSet({ ...set, findings: [...findings, ...set.findings] }, call, output);
    };
    const folder = textOption(call, "skills");
    if (folder !== undefined) {
      refuseOptions(call, storeOptions, "is for a store, and --skills does without one");
      return act(await folderCandidates(world, folder, {}));
    }
    // What is built in needs no store; who names one wants it opened.
    const isStoreNamed = storeOptions.some((name) => call.options[name] !== undefined);
    if (!isStoreNamed && call.args.every(isBuiltIn)) return act(namedCandidates([], []));
    return withApp(async (app) => act(await storedCandidates(app, call.args)))(call, output);
  };
}

function askedIn(call: Call) {
  const tools = textOption(call, "tools");
  return {
    names: call.args,
    strict: call.options["strict"] === true,
    ...(tools === undefined ? {} : { tools: demandTools(splitTools(tools), "--tools") }),
  };
}
