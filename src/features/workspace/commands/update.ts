import { placeSkill } from "../../../workspace/place.ts";
import { orFailure, type Publishing } from "../../../workspace/workspace.ts";
import { planUpdates, type Update, type UpdateOutcome } from "../../../workspace/update.ts";
import { type ExitCode, exit } from "../../command/command.ts";
import { confirm } from "../../command/ask-secret.ts";
import { hint, plural } from "../../command/render.ts";
import { exitOfFailures, renderRefusal, renderUpdate } from "../render-publish.ts";
import { renderVisibleJson } from "../../command/safe-output.ts";
import { withPublishing } from "../with-publishing.ts";

export const run = withPublishing(true, async (publishing, call, output): Promise<ExitCode> => {
  const updates = await planUpdates(publishing, call.args, call.options["force"] === true);
  const isJson = call.options["json"] === true;
  output.progress("");
  if (!isJson)
    output.print(updates.map(({ outcome }) => renderUpdate(outcome, output.style)).join("\n") || "Nothing is locked.");
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
});

const fine: ReadonlySet<UpdateOutcome["state"]> = new Set(["pinned", "unchanged", "updated"]);

/** One after the other, each as a whole; one that fails does not stop the others. */
async function applied({ disk, workspace }: Publishing, updates: readonly Update[]): Promise<readonly UpdateOutcome[]> {
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
