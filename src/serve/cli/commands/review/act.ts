import type { App } from "../../../../app/app.ts";
import { type Said, type Saying, say } from "../../../../app/reviews.ts";
import { diffSkill } from "../../../../app/revisions.ts";
import { AppError } from "../../../../base/error.ts";
import { safeLine } from "../../../../base/text.ts";
import type { Word } from "../../../../registry/decision.ts";
import { listOption, textOption } from "../../call.ts";
import { type Call, type ExitCode, exit } from "../../command.ts";
import type { Output } from "../../output.ts";
import { hint, short, show } from "../../render.ts";
import { renderDiff } from "../../render-diff.ts";
import { shownId } from "../../render-registry.ts";

export async function act(app: App, call: Call, output: Output, word: Word): Promise<ExitCode> {
  const typed = call.args[0] ?? "";
  const saying = sayingOf(call, word);
  const said = await say(app, typed, saying).catch((error: unknown) => showWhatMoved(app, typed, error, call, output));
  show(output, call, said, () => renderSaid(said, output.style));
  return exit.fine;
}

function sayingOf(call: Call, word: Word): Saying {
  return {
    act: word,
    digest: textOption(call, "digest"),
    rollback: call.options["rollback"] === true,
    withoutGrants: call.options["grants"] === false,
    overrides: listOption(call, "override") ?? [],
    reason: textOption(call, "reason"),
    note: textOption(call, "note"),
  };
}

/** RV-5: when the digest moved meanwhile nothing is signed, and what is there now is shown. */
async function showWhatMoved(app: App, typed: string, error: unknown, call: Call, output: Output): Promise<never> {
  if (error instanceof AppError && error.code === "review.stale")
    hint(output, call, renderDiff(await diffSkill(app, typed), [], output.style));
  throw error;
}

const past: Readonly<Record<Word, string>> = {
  approve: "Approved",
  reject: "Rejected",
  disable: "Disabled",
  override: "Overridden in",
};

function renderSaid({ decisions, standing }: Said, style: Output["style"]): string {
  const lines = decisions.map(({ word, entry, digest, grants, overrides }) => {
    const what = overrides.length === 0 ? "" : `: ${safeLine(overrides.join(", "), 500)}`;
    const tools = grants.length === 0 ? "" : `, with pre-approval of ${safeLine(grants.join(", "), 500)}`;
    return `${past[word]} ${style("bold", shownId(entry))} ${short(digest)}${what}${tools}`;
  });
  const inUse = standing.inUse === null ? "nothing of it is in use" : `${short(standing.inUse)} is in use`;
  return [...lines, `It is ${standing.state} now: ${safeLine(standing.reason, 500)}; ${inUse}`].join("\n");
}
