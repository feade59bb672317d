import { readEnvironment } from "../../app/config/config.ts";
import type { Composition } from "../../compose/composition.ts";
import { AppError } from "../../core/error.ts";
import { requestId } from "../../core/ids.ts";
import { safeLine } from "../../core/text.ts";
import { parseTrust, trusts } from "../../sources/trust.ts";
import type { FolderSkills } from "../bundles/folder-skills.ts";
import { readInput } from "../command/ask-secret.ts";
import { listOption, refuseOptions, textOption } from "../command/call.ts";
import { type Call, type Command, type ExitCode, exit, storeOptions } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFindings } from "../command/render.ts";
import { printAnswer, printExact, renderVisibleJson } from "../command/safe-output.ts";
import { withApp } from "../command/with-app.ts";
import type { Answered } from "./answers.ts";
import { type ComposedView, renderComposed } from "./render.ts";

const skill = {
  flags: "--skill <skill>",
  about: "a skill for this once, by its id or name; repeat it for more",
  repeatable: true,
};

/** `--config` names a configuration here, as everywhere else in this command's words. */
const withoutConfigFile = storeOptions.filter(({ flags }) => !flags.startsWith("--config "));

export const compose: Command = {
  name: "compose",
  about:
    "print the exact text that skills add to a prompt; what is in it and what is not on standard error, exit 1 when one was dropped",
  arguments: [],
  options: [
    { flags: "--config <id>", about: "the configuration to compose for; its file is SKILLWARD_CONFIG's here" },
    { flags: "--task <id>", about: "with the skills of this task of it" },
    skill,
    { flags: "--skills <folder>", about: "compose skills of a folder instead, without a store or an approval" },
    { flags: "--names <list>", about: "of the folder only these, with commas between them" },
    { flags: "--trust <level>", about: "how far the folder is trusted; untrusted without it", choices: trusts },
    { flags: "--budget <bytes>", about: "the most bytes of the folder's skills; 24000 without it" },
    { flags: "--prompt <text>", about: "print this prompt with the block in front of it" },
    ...withoutConfigFile,
  ],
  examples: [
    "skillward compose --config support",
    "skillward compose --config support --task summary --skill brand-voice --json",
    "skillward compose --skills examples/skills --names recipe-scaling --prompt 'For ten people, please.'",
  ],
  run: (call, output) => {
    const folder = textOption(call, "skills");
    return folder === undefined ? composeFromStore(call, output) : composeFromFolder(folder, call, output);
  },
};

async function composeFromStore(call: Call, output: Output): Promise<ExitCode> {
  refuseOptions(call, ["names", "trust", "budget"], "is for the skills of a folder: give --skills <folder> as well");
  const configuration = textOption(call, "config");
  if (configuration === undefined)
    throw new AppError("usage.invalid", "give --config <id> for a configuration, or --skills <folder> for a folder");
  // Elsewhere `--config` is the configuration file; here that is only ever the environment's.
  const { config: _, ...options } = call.options;
  return withApp(async (app) => {
    const { composeStored } = await import("../configurations/compositions.ts");
    const asked = { configuration, task: textOption(call, "task"), skills: listOption(call, "skill") };
    const { composition, generation, configuration: found } = await composeStored(app, asked);
    return printComposed(call, output, { composition, generation, budget: found.budget });
  })({ ...call, options }, output);
}

async function composeFromFolder(folder: string, call: Call, output: Output): Promise<ExitCode> {
  refuseOptions(
    call,
    ["config", "task", "skill", "data", "acceptRollback"],
    "is for a store, and --skills does without one",
  );
  const [
    { createWorld },
    { chooseSkills, loadFolderSkills },
    { composeSkills },
    { loadCompositionKey },
    { budgetBytes },
  ] = await Promise.all([
    import("../../app/world/world.ts"),
    import("../bundles/folder-skills.ts"),
    import("./compose-folder.ts"),
    import("../../app/config/composition-key.ts"),
    import("../../compose/budget.ts"),
  ]);
  const world = createWorld();
  const loaded = await loadFolderSkills(world, folder);
  const names = namesOf(call);
  const skills = names === undefined ? allOf(loaded, folder) : chooseSkills(loaded.skills, names);
  if (names === undefined && call.options["json"] !== true)
    output.note(output.style("dim", `all ${plural(skills.length, "skill")} of the folder; --names chooses`));
  const budget = budgetBytes(Number(textOption(call, "budget")));
  const trust = parseTrust(textOption(call, "trust"));
  const key = await loadCompositionKey(world, readEnvironment());
  const via = names === undefined ? "configuration" : "invoked";
  const composition = composeSkills(skills, { key, budget, trust, via });
  const findings = [...loaded.findings, ...composition.findings];
  return printComposed(call, output, { composition: { ...composition, findings }, budget });
}

function namesOf(call: Call): readonly string[] | undefined {
  const names = textOption(call, "names")
    ?.split(",")
    .map((name) => name.trim());
  if (names?.includes("") === true)
    throw new AppError("usage.invalid", "--names: expected names with commas between them, such as a,b");
  return names;
}

function allOf({ skills }: FolderSkills, folder: string): FolderSkills["skills"] {
  if (skills.length > 0) return skills;
  throw new AppError("record.missing", `no folder with a file named exactly SKILL.md in ${safeLine(folder, 240)}`);
}

interface Composed {
  readonly composition: Composition;
  readonly generation?: number;
  readonly budget: number;
}

async function printComposed(call: Call, output: Output, composed: Composed): Promise<ExitCode> {
  const view = await viewOf(composed, textOption(call, "prompt"));
  if (call.options["json"] === true) output.print(renderVisibleJson(view));
  else {
    const { joinBlocks } = await import("../../compose/inject-protocols.ts");
    printExact(view.prompt ?? joinBlocks(view), output.screen);
    // The block need not end its line.
    output.note(`\n${renderComposed(view, composed.budget, output.style)}`);
  }
  return view.dropped.length === 0 ? exit.fine : exit.findings;
}

async function viewOf({ composition, generation }: Composed, prompt: string | undefined): Promise<ComposedView> {
  const { block, systemBlock, bytes, included, dropped, findings, digest } = composition;
  const { loadTokenCounter } = await import("../../compose/tokens.ts");
  const count = await loadTokenCounter();
  const tokens = count(systemBlock) + count(block);
  const counted = { block, systemBlock, bytes, tokens, included, dropped, findings, digest };
  return {
    ...counted,
    ...(generation === undefined ? {} : { generation }),
    ...(prompt === undefined ? {} : { prompt: await injected(prompt, composition) }),
  };
}

/** A prompt has no roles: what was meant for the system message stands in front. */
async function injected(prompt: string, composition: Composition): Promise<string> {
  const { injectRequest } = await import("../../compose/inject.ts");
  return injectRequest("openai-completions", { prompt }, composition).request.prompt;
}

export const run: Command = {
  name: "run",
  about: "run a task: its prompt with its skills goes to the model, the answer is printed",
  arguments: [
    { form: "<task>", about: "the task's id" },
    { form: "[input]", about: "the text for {{input}}; read from standard input without it" },
  ],
  options: [
    skill,
    { flags: "--raw", about: "print the answer byte for byte; on a terminal it is made safe all the same" },
    ...storeOptions,
  ],
  examples: ["skillward run summary 'The meeting was moved to Monday.'", "skillward run summary < minutes.txt"],
  run: (call, output) =>
    output.untilInterrupted(async (signal) => {
      // Before the store is opened: whoever types it may take their time.
      const input = call.args[1] ?? (await readInput(output.keyboard.input, signal));
      const act = withApp(async (app) => {
        const { Serving } = await import("../serving.ts");
        const serving = new Serving(app);
        try {
          const [task = ""] = call.args;
          const request = requestId(undefined, app.world.random);
          const skills = listOption(call, "skill");
          const asked = { request, task, input, skills, signal };
          printAnswered(await serving.answers.runTask(app.person, asked), call, output);
          return exit.fine;
        } finally {
          // What was injected is written down before the command ends.
          await serving.close();
        }
      });
      return act(call, output);
    }),
};

function printAnswered(answered: Answered, { options }: Call, output: Output): void {
  if (options["json"] === true) return output.print(renderVisibleJson(answered));
  printAnswer(answered.text, options["raw"] === true, output.screen);
  const { id, generation, included, dropped } = answered.injection;
  const sum = `${plural(included, "skill")} injected, ${dropped} dropped, generation ${generation}: ${id}`;
  output.note([output.style("dim", sum), ...renderFindings(answered.findings, output.style)].join("\n"));
}
