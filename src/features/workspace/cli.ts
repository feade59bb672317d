import { readEnvironment } from "../../app/config/config.ts";
import { skillsFolder } from "../../skill/agent-folders.ts";
import type { Update, UpdateOutcome } from "../../workspace/update.ts";
import type { Publishing } from "../../workspace/workspace.ts";
import { listOption, shellWord, textOption } from "../command/call.ts";
import { type Call, type Command, type ExitCode, exit, json, type Run } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { hint, plural } from "../command/render.ts";
import { renderVisibleJson } from "../command/safe-output.ts";
import {
  exitOfFailures,
  renderInstalled,
  renderOffer,
  renderRefusal,
  renderUpdate,
  renderVerification,
} from "./render.ts";

const dir = {
  flags: "--dir <folder>",
  about: "the workspace; else the nearest folder upward with skillward.lock or .git, else this one",
};

const accept = {
  flags: "--accept <code>",
  about: "go on in spite of findings of this code; repeat it for more",
  repeatable: true,
};

const yes = { flags: "--yes", about: "do not ask" };

const fetching = [
  { flags: "--token-env <name>", about: "the variable that holds a token for private repositories" },
  { flags: "--hosts <name>", about: "the GitHub of your configuration that owner/repo means and the token is for" },
  dir,
  json,
];

export const add: Command = {
  name: "add",
  about: "put a skill of a repository into this workspace, proven and locked",
  arguments: [{ form: "<skill>", about: "owner/repo, owner/repo/path, owner/repo/path@ref or an address" }],
  options: [
    { flags: "--ref <ref>", about: "the branch, tag (heads/…, tags/…) or commit (40 digits)" },
    accept,
    yes,
    ...fetching,
  ],
  examples: [
    "skillward add acme/skills/skills/pdf",
    "skillward add acme/skills/skills/pdf@tags/v1.2.0 --yes",
    "skillward add https://github.com/acme/skills/tree/main/skills/pdf",
  ],
  run: withPublishing(false, async (publishing, call, output) => {
    const [{ planAddition }, { placeSkill }, { confirm }] = await Promise.all([
      import("../../workspace/add.ts"),
      loadPlacing(),
      import("../command/ask-secret.ts"),
    ]);
    const typed = call.args[0] ?? "";
    const { offer, placement } = await planAddition(publishing, typed, textOption(call, "ref") ?? null);
    const { root } = publishing.workspace;
    const isJson = call.options["json"] === true;
    const end = (state: "added" | "refused" | "not added", code: ExitCode) => {
      if (isJson) output.print(renderVisibleJson({ root, state, skill: offer }));
      return code;
    };
    output.progress("");
    if (!isJson) output.print(renderOffer(offer, output.style));
    if (placement === null) {
      hint(output, call, renderRefusal(offer, `add ${shellWord(typed)}`));
      return end("refused", exit.findings);
    }
    const answer = await confirm(call, `Add it to ${skillsFolder}/${offer.folder}?`, output.keyboard);
    if (answer !== "yes") {
      output.note(
        answer === "no" ? "Nothing was written." : "Nothing was written: nobody was there to ask; --yes says yes.",
      );
      return end("not added", exit.findings);
    }
    await placeSkill(publishing.disk, root, placement);
    if (!isJson) output.print(`Added ${skillsFolder}/${offer.folder} and locked it in skillward.lock`);
    return end("added", exit.fine);
  }),
};

export const update: Command = {
  name: "update",
  about: "bring locked skills up to date, after showing what changes",
  arguments: [{ form: "[folder...]", about: "their folders; all of them without any" }],
  options: [accept, { flags: "--force", about: "also over what was changed here" }, yes, ...fetching],
  examples: ["skillward update", "skillward update pdf", "skillward update pdf --accept pin.moved"],
  run: withPublishing(true, async (publishing, call, output) => {
    const [{ planUpdates }, { confirm }] = await Promise.all([
      import("../../workspace/update.ts"),
      import("../command/ask-secret.ts"),
    ]);
    const updates = await planUpdates(publishing, call.args, call.options["force"] === true);
    const isJson = call.options["json"] === true;
    output.progress("");
    if (!isJson)
      output.print(
        updates.map(({ outcome }) => renderUpdate(outcome, output.style)).join("\n") || "Nothing is locked.",
      );
    for (const { outcome } of updates)
      if (outcome.state === "refused" && outcome.offer !== undefined)
        hint(output, call, renderRefusal(outcome.offer, `update ${outcome.folder}`));
    const newer = updates.filter(({ placement }) => placement !== null);
    const answer =
      newer.length === 0 ? "yes" : await confirm(call, `Update ${plural(newer.length, "skill")}?`, output.keyboard);
    if (answer === "no") output.note("Nothing was written.");
    if (answer === "nobody to ask") output.note("Nothing was written: nobody was there to ask; --yes says yes.");
    const outcomes = answer === "yes" ? await applied(publishing, updates) : updates.map(({ outcome }) => outcome);
    if (isJson) output.print(renderVisibleJson({ root: publishing.workspace.root, skills: outcomes }));
    else for (const outcome of outcomes.filter(isDone)) output.print(renderDone(outcome));
    return outcomes.every(({ state }) => fine.has(state)) ? exit.fine : exitOfFailures(outcomes);
  }),
};

export const verify: Command = {
  name: "verify",
  about: "check that the skills of this workspace are what skillward.lock says; asks nobody",
  arguments: [],
  options: [dir, json],
  examples: ["skillward verify", "skillward verify --dir packages/site --json"],
  run: async (call, output) => {
    // Needs no configuration, no network and no right to write.
    const [{ createWorld }, { verifyWorkspace }, { demandLocked, openWorkspace }] = await Promise.all([
      import("../../app/world/world.ts"),
      import("../../workspace/verify.ts"),
      import("../../workspace/workspace.ts"),
    ]);
    const world = createWorld();
    const workspace = await openWorkspace(world.files, textOption(call, "dir"));
    demandLocked(workspace);
    const found = await verifyWorkspace(world, workspace);
    output.print(call.options["json"] === true ? renderVisibleJson(found) : renderVerification(found, output.style));
    return found.passes ? exit.fine : exit.findings;
  },
};

export const install: Command = {
  name: "install",
  about: "fetch what skillward.lock says and is missing here",
  arguments: [],
  options: [{ flags: "--frozen", about: "also put back what was changed here" }, accept, ...fetching],
  examples: ["skillward install", "skillward install --frozen"],
  run: withPublishing(true, async (publishing, call, output) => {
    const { installLocked } = await import("../../workspace/install.ts");
    const skills = await installLocked(publishing, call.options["frozen"] === true);
    const { root } = publishing.workspace;
    output.progress("");
    if (call.options["json"] === true) output.print(renderVisibleJson({ root, skills }));
    else output.print(skills.map((each) => renderInstalled(each, output.style)).join("\n") || "Nothing is locked.");
    const refused = [...new Set(skills.flatMap((each) => each.refused ?? []))];
    const typed = call.options["frozen"] === true ? "install --frozen" : "install";
    if (refused.length > 0) hint(output, call, renderRefusal({ refused }, typed));
    const isFine = skills.every(({ state }) => state === "unchanged" || state === "installed" || state === "replaced");
    return isFine ? exit.fine : exitOfFailures(skills);
  }),
};

const fine: ReadonlySet<UpdateOutcome["state"]> = new Set(["pinned", "unchanged", "updated"]);

/** One after the other, each as a whole; one that fails does not stop the others. */
async function applied({ disk, workspace }: Publishing, updates: readonly Update[]): Promise<readonly UpdateOutcome[]> {
  const [{ placeSkill }, { orFailure }] = await Promise.all([loadPlacing(), import("../../workspace/workspace.ts")]);
  const outcomes: UpdateOutcome[] = [];
  for (const { outcome, placement } of updates) {
    const end = placement === null ? undefined : await orFailure(() => placeSkill(disk, workspace.root, placement));
    if (placement === null) outcomes.push(outcome);
    else if (end === undefined) outcomes.push({ ...outcome, state: "updated" });
    else outcomes.push({ ...outcome, ...end, state: "failed" });
  }
  return outcomes;
}

/** What was shown as about to happen, and what came of it. */
function isDone({ state, offer }: UpdateOutcome): boolean {
  return state === "updated" || (state === "failed" && offer !== undefined);
}

function renderDone({ folder, state, error }: UpdateOutcome): string {
  return state === "updated" ? `Updated ${folder}` : `${folder} was not updated: ${error?.message ?? ""}`;
}

type Act = (publishing: Publishing, call: Call, output: Output) => Promise<ExitCode>;

/** A command that changes a workspace: the way out is closed however it ends. */
function withPublishing(needsLock: boolean, act: Act): Run {
  return async (call, output) => {
    const [{ createWorld }, { openPublishing }] = await Promise.all([
      import("../../app/world/world.ts"),
      import("./flow.ts"),
    ]);
    const publishing = await openPublishing(createWorld(), readEnvironment(), {
      dir: textOption(call, "dir"),
      hosts: textOption(call, "hosts"),
      tokenEnv: textOption(call, "tokenEnv"),
      accept: listOption(call, "accept"),
      onFile: fetchProgress(output),
      // A note can come while files are fetched: first the line that counts them goes.
      onNote: (text) => {
        output.progress("");
        output.note(text);
      },
      needsLock,
    });
    try {
      return await act(publishing, call, output);
    } finally {
      await publishing.close();
    }
  };
}

/** How much is to come is not known; that something comes is. */
function fetchProgress(output: Output): (bytes: number) => void {
  let [files, sum] = [0, 0];
  return (bytes) => {
    files++;
    sum += bytes;
    output.progress(`fetching: ${plural(files, "file")}, ${Math.ceil(sum / 1024)} KiB`);
  };
}

const loadPlacing = () => import("../../workspace/place.ts");
