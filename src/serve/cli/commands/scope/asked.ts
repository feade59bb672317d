import { folderCandidates } from "../../../../app/scope/folder-candidates.ts";
import { isBuiltIn, lookAtScope, type ScopeSet } from "../../../../app/scope/scope-set.ts";
import { storedCandidates } from "../../../../app/scope/stored-candidates.ts";
import { loadWorkspaceFile } from "../../../../app/workspace-file.ts";
import { createWorld } from "../../../../app/world.ts";
import { AppError } from "../../../../base/error.ts";
import { splitTools } from "../../../../ingest/skill/tools.ts";

import { refuseOptions, textOption } from "../../call.ts";
import type { Call, ExitCode, Run } from "../../command.ts";
import type { Output } from "../../output.ts";
import { withApp } from "../../with-app.ts";

type Show = (set: ScopeSet, call: Call, output: Output) => ExitCode;

/** The three commands differ in what they show of one and the same set. */
export function scopeCommand(showSet: Show): Run {
  return async (call, output) => {
    const folder = textOption(call, "skills");
    if (folder !== undefined) return showSet(await inFolder(folder, call), call, output);
    // What is built in needs no store.
    if (call.args.every(isBuiltIn)) return showSet(lookAtScope(noCandidates, askedIn(call)), call, output);
    const act = withApp(async (app) => {
      const candidates = await storedCandidates(app, call.args);
      return showSet(lookAtScope(candidates, askedIn(call)), call, output);
    });
    return act(call, output);
  };
}

const noCandidates = { all: [], findings: [], named: nobody };

function nobody(): never {
  throw new AppError("record.missing", "there are only built-in skills here");
}

/** A folder is looked at as a workspace: what its `skillward.yaml` forbids is forbidden (invariant 10). */
async function inFolder(folder: string, call: Call): Promise<ScopeSet> {
  refuseOptions(call, ["config", "data", "acceptRollback"], "is for a store, and --skills does without one");
  const world = createWorld();
  const candidates = await folderCandidates(world, folder, {});
  const { narrowing, findings } = await loadWorkspaceFile(world.files, await world.files.resolve("."));
  const set = lookAtScope(candidates, { ...askedIn(call), forbidden: narrowing.forbiddenTools });
  return { ...set, findings: [...findings, ...set.findings] };
}

function askedIn(call: Call) {
  const tools = textOption(call, "tools");
  return {
    names: call.args,
    strict: call.options["strict"] === true,
    ...(tools === undefined ? {} : { tools: splitTools(tools) }),
  };
}
