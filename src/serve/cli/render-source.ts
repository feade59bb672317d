import type { SourceView } from "../../app/sources.ts";
import { safeLine } from "../../base/text.ts";
import type { RemoteProof, Source } from "../../ingest/source/source.ts";
import { states } from "../../registry/state.ts";
import type { Output } from "./output.ts";
import { plural, renderFields, renderTable, short, when } from "./render.ts";
import { renderSize } from "./render-registry.ts";

type Field = readonly [name: string, value: string];

/** Of a marketplace with its plugins, where those are asked for. */
export function renderSource(view: SourceView, style: Output["style"], withPlugins = true): string {
  const { source } = view;
  const { bounds, error, expectedFingerprint } = source;
  const fields: Field[] = [
    ["source", source.id],
    ...(source.title === source.id ? [] : [["title", safeLine(source.title)] as const]),
    ["from", `${source.kind} ${safeLine(source.url, 500)}`],
    ...renderPlace(source),
    ["trust", source.trust],
    ["on change", onChangeWords[source.onChange]],
    ["syncs", renderSchedule(source)],
    ["synced", `${when(source.syncedAt)} (${source.status})`],
    ...(error === null ? [] : [["error", style("red", safeLine(error, 500))] as const]),
    ["added by", safeLine(source.addedBy)],
    ["skills", renderStates(view)],
  ];
  if (expectedFingerprint !== null) fields.push(["fingerprint", safeLine(expectedFingerprint)]);
  if (bounds !== null)
    fields.push(["one sync", `${bounds.files} files, ${bounds.seconds} seconds, ${renderSize(bounds.bytes)} at most`]);
  return [renderFields(fields, style), ...(withPlugins ? renderPlugins(view, style) : [])].join("\n");
}

/** Where a source is, in one line: several can be of one repository. */
export function placeOf({ kind, url, ref, include }: Source): string {
  const parts = kind === "marketplace" || include === null ? "" : `, ${partsOf(include)}`;
  return `${safeLine(url, 500)}${parts}${ref === null ? "" : ` at ${shortRef(ref)}`}`;
}

function partsOf(include: readonly string[]): string {
  const named = include.map((path) => (path === "" ? "its root" : path));
  return safeLine(named.slice(0, 3).join(", "), 240) + (named.length > 3 ? ` and ${named.length - 3} more` : "");
}

function shortRef(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? short(ref) : safeLine(ref);
}

const onChangeWords = {
  hold: "hold: the approved revision stays in use",
  disable: "disable: out of use until approved",
};

function renderStates({ states: counts }: SourceView): string {
  const some = states.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`]));
  return some.length === 0 ? "none" : some.join(", ");
}

function renderSchedule({ enabled, interval, dueAt }: Source): string {
  if (!enabled) return "off";
  return interval === null ? "when asked" : `every ${renderInterval(interval)}, next ${when(dueAt)}`;
}

const units = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
] as const;

/** In the largest unit that says it exactly. */
function renderInterval(seconds: number): string {
  const [size, name] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  return plural(seconds / size, name);
}

/** Of a remote source: where it stands, and which links from there to the bytes were proven (IN-8, IN-9). */
function renderPlace(source: Source): Field[] {
  const { hosts, ref, pin, repositoryId, ownerId, remote } = source;
  if (hosts === null) return [];
  const branch = remote?.ref == null ? "" : ` (${safeLine(remote.ref)})`;
  return [
    ["takes in", takenIn(source)],
    ["follows", ref === null ? `the default branch${branch}` : followed(ref)],
    ["pin", pin ?? "none yet"],
    ...(remote?.proof == null ? [] : renderProof(remote.proof)),
    ["repository", `id ${repositoryId}, owner id ${ownerId}, on ${safeLine(hosts)}`],
    ["token", tokenWords(source)],
  ];
}

function takenIn({ kind, include }: Source): string {
  if (kind !== "marketplace") return include === null ? "all skills in it" : partsOf(include);
  if (include === null) return "every plugin, if they are 50 at most";
  return include.includes("*") ? "every plugin" : safeLine(include.join(", "), 500);
}

function followed(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? "nothing: it stays at one commit" : safeLine(ref);
}

function tokenWords({ tokenRef, tokenForOwner }: Source): string {
  if (tokenRef === null) return "none";
  return tokenForOwner ? "kept encrypted; also for other repositories of its owner" : "kept encrypted";
}

function renderProof({ commit, reachable }: RemoteProof): Field[] {
  const how =
    commit === "hashed" ? "proven: its own bytes have the pin as their hash" : "by API: its bytes are not told";
  return [
    ["files", "proven: each has the hash that its tree names"],
    ["trees", "proven: hashed up to the one that the commit names"],
    ["commit", how],
    ["reachable", reachable === null ? "from no branch or tag that is known" : `from ${safeLine(reachable)}`],
  ];
}

/** What a person picks from. */
function renderPlugins({ plugins }: SourceView, style: Output["style"]): string[] {
  const rows = plugins.map(({ name, outcome, skills, commit, where, reason }) => [
    safeLine(name),
    outcome,
    String(skills),
    commit === null ? "-" : short(commit),
    safeLine(reason ?? where ?? "", 500),
  ]);
  return rows.length === 0 ? [] : ["", renderTable(["plugin", "outcome", "skills", "pin", "from"], rows, style)];
}
