import { composeSkills } from "../compose-folder.ts";
import { loadCompositionKey } from "../../../app/config/composition-key.ts";
import { composeStored } from "../../configurations/compositions.ts";
import { readEnvironment } from "../../../app/config/config.ts";
import { chooseSkills, type FolderSkills, loadFolderSkills } from "../../bundles/folder-skills.ts";
import { loadTokenCounter } from "../../../compose/tokens.ts";
import { createWorld } from "../../../app/world/world.ts";
import { AppError } from "../../../core/error.ts";
import { safeLine } from "../../../core/text.ts";
import { parseTrust } from "../../../sources/trust.ts";
import { budgetBytes } from "../../../compose/budget.ts";
import type { Composition } from "../../../compose/composition.ts";
import { injectRequest } from "../../../compose/inject.ts";
import { joinBlocks } from "../../../compose/inject-protocols.ts";
import { listOption, refuseOptions, textOption } from "../../command/call.ts";
import { type Call, type ExitCode, exit } from "../../command/command.ts";
import type { Output } from "../../command/output.ts";
import { plural } from "../../command/render.ts";
import { type ComposedView, renderComposed } from "../render-composition.ts";
import { printExact, renderVisibleJson } from "../../command/safe-output.ts";
import { withApp } from "../../command/with-app.ts";

export async function run(call: Call, output: Output): Promise<ExitCode> {
  const folder = textOption(call, "skills");
  return folder === undefined ? composeFromStore(call, output) : composeFromFolder(folder, call, output);
}

async function composeFromStore(call: Call, output: Output): Promise<ExitCode> {
  refuseOptions(call, ["names", "trust", "budget"], "is for the skills of a folder: give --skills <folder> as well");
  const configuration = textOption(call, "config");
  if (configuration === undefined)
    throw new AppError("usage.invalid", "give --config <id> for a configuration, or --skills <folder> for a folder");
  // Elsewhere `--config` is the configuration file; here that is only ever the environment's.
  const { config: _, ...options } = call.options;
  return withApp(async (app) => {
    const asked = { configuration, task: textOption(call, "task"), skills: listOption(call, "skill") };
    const { composition, generation, configuration: found } = await composeStored(app, asked);
    return print(call, output, { composition, generation, budget: found.budget });
  })({ ...call, options }, output);
}

async function composeFromFolder(folder: string, call: Call, output: Output): Promise<ExitCode> {
  refuseOptions(
    call,
    ["config", "task", "skill", "data", "acceptRollback"],
    "is for a store, and --skills does without one",
  );
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
  return print(call, output, { composition: { ...composition, findings }, budget });
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

async function print(call: Call, output: Output, composed: Composed): Promise<ExitCode> {
  const view = await viewOf(composed, textOption(call, "prompt"));
  if (call.options["json"] === true) output.print(renderVisibleJson(view));
  else {
    printExact(view.prompt ?? joinBlocks(view), output.screen);
    // The block need not end its line.
    output.note(`\n${renderComposed(view, composed.budget, output.style)}`);
  }
  return view.dropped.length === 0 ? exit.fine : exit.findings;
}

async function viewOf({ composition, generation }: Composed, prompt: string | undefined): Promise<ComposedView> {
  const { block, systemBlock, bytes, included, dropped, findings, digest } = composition;
  const count = await loadTokenCounter();
  const tokens = count(systemBlock) + count(block);
  const counted = { block, systemBlock, bytes, tokens, included, dropped, findings, digest };
  return {
    ...counted,
    ...(generation === undefined ? {} : { generation }),
    ...(prompt === undefined ? {} : { prompt: injected(prompt, composition) }),
  };
}

/** A prompt has no roles: what was meant for the system message stands in front. */
function injected(prompt: string, composition: Composition): string {
  return injectRequest("openai-completions", { prompt }, composition).request.prompt;
}
