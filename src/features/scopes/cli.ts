import { splitTools } from "../../skill/manifest.ts";
import { refuseOptions, textOption } from "../command/call.ts";
import {
  type Call,
  type CommandGroup,
  type CommandOption,
  type ExitCode,
  exit,
  type Run,
  storeOptions,
} from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { withApp } from "../command/with-app.ts";
import type { Candidates } from "./candidates.ts";
import { renderCheck, renderExplained, renderScope, showVisible } from "./render.ts";
import type { ScopeSet } from "./scope-set.ts";

const names = { form: "<name...>", about: "skills by name or id; built-in ones too" };

const options: readonly CommandOption[] = [
  { flags: "--skills <folder>", about: "skills of a folder instead, without a store or an approval" },
  {
    flags: "--tools <list>",
    about: "the host's tools, with commas between them; without it, those that the skills name",
  },
  { flags: "--strict", about: "no groups: skills that require each other stand each for itself" },
  ...storeOptions,
];

export const scope: CommandGroup = {
  name: "scope",
  about: "what an agent may do while it holds skills: compose, check, explain",
  commands: [
    {
      name: "compose",
      about: "the tools that skills leave together, and why; exit 1 when the set cannot be used",
      arguments: [names],
      options,
      examples: [
        "skillward scope compose terminology-brief catalogue-translation --skills examples/skills",
        "skillward scope compose house:brand-voice guarded --tools read,write,Bash --json",
      ],
      run: scopeCommand((set, view, call, output) => {
        showVisible(output, call, view.viewOf(set), (shown) => renderScope(shown, set.isGiven, output.style));
        return set.errors.length === 0 ? exit.fine : exit.findings;
      }),
    },
    {
      name: "check",
      about: "whether skills can be used together, with everything that speaks against it; exit 1 when not",
      arguments: [names],
      options,
      examples: ["skillward scope check terminology-brief --skills examples/skills"],
      run: scopeCommand((set, view, call, output) => {
        const isUsable = set.errors.length === 0;
        const { skills, findings } = view.viewOf(set);
        showVisible(output, call, { usable: isUsable, skills, errors: set.errors, findings }, () =>
          renderCheck({ skills, findings }, isUsable, output.style),
        );
        return isUsable ? exit.fine : exit.findings;
      }),
    },
    {
      name: "explain",
      about: "what the gate says to one call, step by step; exit 1 when it is denied",
      arguments: [names],
      options: [
        { flags: "--call <call>", about: "the call, such as 'Bash(git status)' or 'Edit(src/a.ts)'", required: true },
        ...options,
      ],
      examples: ["skillward scope explain incident-postmortem --call 'Bash(git log)' --skills examples/skills"],
      run: scopeCommand((set, view, call, output) => {
        const explained = view.explainCall(set, textOption(call, "call") ?? "");
        showVisible(output, call, explained, () => renderExplained(explained, output.style));
        return explained.decision === "allow" ? exit.fine : exit.findings;
      }),
    },
  ],
};

const ofStore = ["config", "data", "acceptRollback"];

type Show = (set: ScopeSet, view: typeof import("./scope-view.ts"), call: Call, output: Output) => ExitCode;

/**
 * The three commands differ in what they show of one and the same set. Wherever its skills come from, what the
 * `skillward.yaml` of the folder one stands in forbids is forbidden (invariant 10).
 */
function scopeCommand(showSet: Show): Run {
  return async (call, output) => {
    const [{ createWorld }, { loadWorkspaceFile }, candidates, sets, stored, view] = await Promise.all([
      import("../../app/world/world.ts"),
      import("../../app/config/workspace-file.ts"),
      import("./candidates.ts"),
      import("./scope-set.ts"),
      import("./stored-scope.ts"),
      import("./scope-view.ts"),
    ]);
    const world = createWorld();
    const { narrowing, findings } = await loadWorkspaceFile(world.files, await world.files.resolve("."));
    const tools = textOption(call, "tools");
    const asked = {
      names: call.args,
      strict: call.options["strict"] === true,
      forbidden: narrowing.forbiddenTools,
      ...(tools === undefined ? {} : { tools: stored.demandTools(splitTools(tools), "--tools") }),
    };
    const act = (found: Candidates): ExitCode => {
      const set = sets.lookAtScope(found, asked);
      return showSet({ ...set, findings: [...findings, ...set.findings] }, view, call, output);
    };
    const folder = textOption(call, "skills");
    if (folder !== undefined) {
      refuseOptions(call, ofStore, "is for a store, and --skills does without one");
      return act(await candidates.folderCandidates(world, folder, {}));
    }
    // What is built in needs no store; who names one wants it opened.
    const isStoreNamed = ofStore.some((name) => call.options[name] !== undefined);
    if (!isStoreNamed && call.args.every(sets.isBuiltIn)) return act(candidates.namedCandidates([], []));
    return withApp(async (app) => act(await stored.storedCandidates(app, call.args)))(call, output);
  };
}
