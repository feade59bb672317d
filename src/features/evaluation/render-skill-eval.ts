import type { CaseOutcome, SkillsEvaluation } from "./eval-skills.ts";
import { makeVisible, withoutOrders } from "../command/safe-output.ts";
import type { Output } from "../command/output.ts";
import { plural, renderFindings } from "../command/render.ts";

type Style = Output["style"];

/** A line for each case, what failed below it, a sum at the end; or what is wrong with the cases. */
export function renderSkillsEvaluation(evaluation: SkillsEvaluation, style: Style): string {
  const { cases, findings } = evaluation;
  const lines =
    findings.length > 0
      ? [...renderFindings(findings, style), "", style("red", "nothing was run: correct the cases first")]
      : [...cases.flatMap((each) => renderCase(each, style)), "", renderSum(evaluation, style)];
  // Names, prompts and answers are whoever's; styles are set around them, so that nothing else is in them.
  return withoutOrders(lines.join("\n"));
}

function renderCase(outcome: CaseOutcome, style: Style): readonly string[] {
  const { name, file, state, runs, passed, failures, notes, findings } = outcome;
  const rate = runs > 1 ? `  ${passed} of ${runs}` : "";
  return [
    `${markOf(state, style)} ${style("bold", makeVisible(name))}${rate}  ${style("dim", makeVisible(file))}`,
    ...failures.flatMap((each) => renderFailure(each, runs, style)),
    ...notes.map((note) => `    ${style("dim", makeVisible(note))}`),
    ...(state === "failed" ? renderFindings(findings, style).map((line) => `  ${line}`) : []),
  ];
}

function markOf(state: CaseOutcome["state"], style: Style): string {
  if (state === "skipped") return style("yellow", "-");
  return state === "passed" ? style("green", "✓") : style("red", "✗");
}

function renderFailure({ why, runs }: CaseOutcome["failures"][number], all: number, style: Style): readonly string[] {
  const [first = "", ...rest] = makeVisible(why).split("\n");
  const where = all > 1 ? style("dim", ` (run ${runs.join(", ")})`) : "";
  return [`    ${style("red", first)}${where}`, ...rest.map((line) => `    ${line}`)];
}

function renderSum({ cases, minRate, passes, model }: SkillsEvaluation, style: Style): string {
  const count = (state: CaseOutcome["state"]) => cases.filter((each) => each.state === state).length;
  const sums = [plural(cases.length, "case"), `${count("passed")} passed`, `${count("failed")} failed`];
  if (count("skipped") > 0) sums.push(`${count("skipped")} skipped`);
  const by = model === null ? "by their scripts" : `with ${makeVisible(model)}`;
  const verdict = passes ? style("green", "pass") : style("red", "fail");
  return `${by}: ${sums.join(", ")}, at a rate of ${minRate}: ${verdict}`;
}
