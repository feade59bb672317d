import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { Changes, Drift, FileChange, Verification } from "../../workspace/verify.ts";
import type { Installed } from "../../workspace/install.ts";
import type { OfferedSkill } from "../../workspace/candidate.ts";
import type { UpdateOutcome } from "../../workspace/update.ts";
import type { Failure } from "../../workspace/workspace.ts";
import { type ExitCode, exit } from "../command/command.ts";
import type { Output } from "../command/output.ts";
import { plural, renderCapabilities, renderFields, renderFindings, short } from "../command/render.ts";
import { renderBundleDiff } from "../skills/render-diff.ts";
import { renderSection } from "../skills/render.ts";

type Style = Output["style"];

/** A person reads no more than this; `--json` has them all. */
const mostListed = 40;

/** Everything that is decided on, before it is written (AG-11). */
export function renderOffer(offer: OfferedSkill, style: Style): string {
  const facts = renderFields(
    [
      ["name", offer.name],
      ["description", safeLine(offer.description ?? "none", 1100)],
      ...(offer.allowedTools === null
        ? []
        : [["tools it asks for", safeLine(offer.allowedTools.join(" "), 500) || "none"] as const]),
      ["reaches", renderCapabilities(offer.capabilities)],
      ["from", whereOf(offer)],
      ["commit", `${offer.commit} (${offer.ref === null ? "for good" : safeLine(offer.ref)})`],
      ["proof", proofOf(offer)],
      ["files", filesOf(offer)],
      ["digest", offer.digest],
    ],
    style,
  );
  const executable = offer.files.filter((file) => file.executable).map(({ path }) => `  ${safeLine(path, 200)}`);
  return [
    style("bold", offer.folder),
    facts,
    ...(executable.length === 0 ? [] : [style("yellow", "executable:"), ...cut(executable)]),
    ...renderFindings(offer.findings, style),
  ].join("\n");
}

function whereOf({ hosts, source, path }: OfferedSkill): string {
  return `${hosts === "github.com" ? "" : `${hosts}: `}${source}${path === "" ? "" : `, ${safeLine(path, 240)}`}`;
}

function proofOf({ proof, files }: OfferedSkill): string {
  const commit = proof.commit === "hashed" ? "the commit's own bytes too" : "the commit by the service's word";
  const reachable =
    proof.reachable === null ? "reachable from nowhere known" : `reachable from ${safeLine(proof.reachable)}`;
  return `${plural(files.length, "file")} and their trees hashed, ${commit}; ${reachable}`;
}

function filesOf({ files }: OfferedSkill): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${plural(files.length, "file")}, ${plural(bytes, "byte")}`;
}

/** What has to be said to go on all the same. */
export function renderRefusal({ refused }: Pick<OfferedSkill, "refused">, command: string): string {
  const flags = refused.map((code) => `--accept ${code}`).join(" ");
  return `Not taken: ${refused.join(", ")}. If you have looked at it and mean it: skillward ${command} ${flags}`;
}

export function renderUpdate(outcome: UpdateOutcome, style: Style): string {
  const name = style("bold", outcome.folder);
  const { offer, changes, drift, error } = outcome;
  if (error !== undefined) return `${name}: ${style("red", "failed")}: ${error.message}`;
  if (drift !== undefined)
    return [
      `${name}: ${style("yellow", "changed here, and left alone")} (--force overwrites it)`,
      ...renderDrift(drift),
    ].join("\n");
  if (offer === undefined || changes === undefined) return `${name}: ${unchangedWords[outcome.state] ?? outcome.state}`;
  const refused = outcome.state === "refused" ? style("red", "refused") : outcome.state;
  return [
    `${name}: ${short(outcome.commit)} to ${short(offer.commit)} (${safeLine(offer.ref ?? "")}), ${refused}`,
    ...renderChanges(changes, offer.findings, style),
    ...renderSection("Findings", renderFindings(offer.findings, style), style),
  ].join("\n");
}

const unchangedWords: Readonly<Partial<Record<UpdateOutcome["state"], string>>> = {
  pinned: "one commit for good; there is nothing to update. Add it again by a branch or tag to follow that",
  unchanged: "up to date",
};

function renderChanges({ files, diff }: Changes, findings: readonly Finding[], style: Style): string[] {
  return [...cut(files.map((file) => `  ${renderFileChange(file)}`)), ...renderBundleDiff(diff, findings, style)];
}

function renderFileChange({ path, how, before, after }: FileChange): string {
  const sizes = [before, after].filter((size) => size !== null).map((size) => plural(size, "byte"));
  return `${how.padEnd(8)} ${safeLine(path, 200)}  ${[...new Set(sizes)].join(" to ")}`;
}

const stateWords: Readonly<Record<Installed["state"], string>> = {
  unchanged: "as locked",
  installed: "installed",
  replaced: "put back as locked",
  drifted: "changed here, and left alone (--frozen puts it back)",
  refused: "refused",
  elsewhere: "not as the registry wrote it; `skillward export` brings it back",
  failed: "failed",
};

export function renderInstalled({ folder, state, drift = [], findings = [], error }: Installed, style: Style): string {
  const isFine = state === "unchanged" || state === "installed" || state === "replaced";
  const words = isFine ? stateWords[state] : style("red", stateWords[state]);
  const why = error === undefined ? "" : `: ${error.message}`;
  return [`${style("bold", folder)}: ${words}${why}`, ...renderDrift(drift), ...renderFindings(findings, style)].join(
    "\n",
  );
}

export function renderVerification({ root, passes, skills, notLocked, leftovers }: Verification, style: Style): string {
  const lines = skills.flatMap(({ folder, state, drift }) => {
    const mark = state === "unchanged" ? style("green", "✓") : style("red", "✗");
    return [`${mark} ${folder}  ${state === "unchanged" ? "as locked" : state}`, ...renderDrift(drift)];
  });
  const others = cut(notLocked.map((name) => `  ${safeLine(name, 100)}`));
  return [
    ...lines,
    ...(others.length === 0 ? [] : [style("dim", "not locked:"), ...others]),
    ...(leftovers.length === 0
      ? []
      : [style("yellow", "a change was interrupted; `skillward install` ends it, or says what is in its way")]),
    `${plural(skills.length, "skill")} in ${safeLine(root, 240)}: ${passes ? style("green", "as locked") : style("red", "not as locked")}`,
  ].join("\n");
}

export function renderDrift(drift: readonly Drift[]): string[] {
  return cut(
    drift.map(({ path, how, why }) => {
      const what = path === "." ? "the folder" : safeLine(path, 200);
      return `    ${how.padEnd(14)} ${what}${why === undefined ? "" : `  ${safeLine(why, 300)}`}`;
    }),
  );
}

function cut(lines: readonly string[]): string[] {
  const more = lines.length - mostListed;
  return more > 0 ? [...lines.slice(0, mostListed), `    and ${more} more (--json lists all)`] : [...lines];
}

/** A network or a disk that fails is a broken world; everything else is something to look at. */
export function exitOfFailures(skills: readonly { readonly error?: Failure }[]): ExitCode {
  const isBroken = skills.some(({ error }) => /^(?:upstream|disk)\.|^source\.limited$/.test(error?.code ?? ""));
  return isBroken ? exit.broken : exit.findings;
}
