import { AppError } from "../../core/error.ts";
import { hasUnseen, safeLine } from "../../core/text.ts";
import { parseChildren } from "../../sources/marketplace/children.ts";
import type { Source, SourceChange, SourceSettings, SyncBounds } from "../../sources/schema.ts";
import { intervals, isInterval, mostBounds, settingNames } from "../../sources/source.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { State } from "../../registry/state.ts";
import { changeSource, listSources, removeSource } from "../../registry/sync/sources.ts";
import type { Look } from "../../registry/registry.ts";
import type { App } from "../../app/app.ts";
import { standingIn } from "../skills/view.ts";
import { demandNamedSource, requireRightToAll } from "../skills/find.ts";
import type { SourceLine, SourceView } from "./schema.ts";

export async function showSource(app: App, id: string): Promise<SourceView> {
  return viewSource(app, requireRightToAll(app, "sources concern all of them"), id);
}

async function viewSource(app: App, permit: Permit<"read">, id: string): Promise<SourceView> {
  const known = await demandNamedSource(app.kept.read, id);
  const source = (await listSources(app.sync, permit)).find((each) => each.id === id) ?? known;
  return { source, states: statesIn(await app.registry.look()).get(id) ?? {}, plugins: pluginsOf(source) };
}

function pluginsOf({ kind, cursor }: Source): SourceView["plugins"] {
  if (kind !== "marketplace") return [];
  return parseChildren(cursor).map(({ name, outcome, where, commit, ref, skills, reason }) => ({
    name,
    outcome,
    where,
    commit,
    ref,
    skills,
    reason,
  }));
}

/** All of them, by id. */
export async function listSourceLines(app: App): Promise<readonly SourceLine[]> {
  const permit = requireRightToAll(app, "sources concern all of them");
  const sources = await listSources(app.sync, permit);
  const states = statesIn(await app.registry.look());
  return sources.map((source) => ({ source, states: states.get(source.id) ?? {} }));
}

/** By source, in one pass: there can be a hundred thousand entries. */
function statesIn(look: Look): ReadonlyMap<string, SourceLine["states"]> {
  const states = new Map<string, Partial<Record<State, number>>>();
  for (const { id, source } of look.facts.entries.values()) {
    const counts = states.get(source) ?? {};
    const { state } = standingIn(look, id);
    counts[state] = (counts[state] ?? 0) + 1;
    states.set(source, counts);
  }
  return states;
}

export async function setSource(app: App, id: string, wishes: SourceChange): Promise<SourceView> {
  const permit = requireRight(app, "administer");
  const { kind, bounds } = await demandNamedSource(app.kept.read, id);
  if (kind === "folder" && (wishes.include !== undefined || wishes.tokenForOwner !== undefined))
    throw new AppError("usage.invalid", `the source ${id} is on this machine: it has no token and no parts to include`);
  if (kind === "file" && wishes.include !== undefined)
    throw new AppError("usage.invalid", `the source ${id} is one skill: add another one, or the repository, by itself`);
  const settings = settingsFrom(wishes, bounds ?? app.config.sync);
  if (Object.keys(settings).length === 0 && wishes.token === undefined)
    throw new AppError("usage.invalid", "say what to change; `skillward source set --help` lists what can be");
  await changeSource(app.sync, permit, id, settings, wishes.token);
  return viewSource(app, permit, id);
}

/** Says how many skills went out of use with it. */
export async function dropSource(
  app: App,
  id: string,
): Promise<{ readonly source: string; readonly orphaned: number }> {
  const permit = requireRight(app, "administer");
  await demandNamedSource(app.kept.read, id);
  return { source: id, orphaned: await removeSource(app.sync, permit, id) };
}

/** The settings that a person names. `before`: the bounds that hold where none is asked for. */
export function settingsFrom(change: SourceChange, before: SyncBounds): Partial<SourceSettings> {
  const { interval, include, fingerprint } = change;
  if (interval !== undefined) checkedInterval(interval);
  const named: Partial<Record<keyof SourceSettings, unknown>> = {
    ...change,
    include: include === undefined ? include : checkedInclude(include),
    expectedFingerprint: fingerprint === undefined ? fingerprint : checkedFingerprint(fingerprint),
    bounds: boundsFrom(change, before),
  };
  const said = settingNames.flatMap((name) => (named[name] === undefined ? [] : [[name, named[name]]]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each as its schema has it, or checked above
  return Object.fromEntries(said) as Partial<SourceSettings>;
}

function checkedInterval(interval: number | null): number | null {
  if (interval === null || isInterval(interval)) return interval;
  const most = `${intervals.most / 86_400} days`;
  throw new AppError(
    "usage.invalid",
    `a source is synced every ${intervals.least} seconds at most, and once in ${most} at least`,
  );
}

/** How many picks a person can oversee. */
const mostIncluded = 5000;
const longestInclude = 1024;

function checkedInclude(include: readonly string[] | null): readonly string[] | null {
  const names = include === null ? null : [...new Set(include.map((name) => name.replace(/^\.\/|\/+$/g, "")))];
  if (names === null) return null;
  const wrong = names.find((name) => name === "" || name.length > longestInclude || hasUnseen(name));
  if (wrong === undefined && names.length > 0 && names.length <= mostIncluded) return names;
  throw new AppError("usage.invalid", "say which folders or plugins to include, each by its name");
}

function checkedFingerprint(fingerprint: string | null): string | null {
  if (fingerprint === null || /^[0-9a-f]{64}$/i.test(fingerprint)) return fingerprint?.toLowerCase() ?? null;
  throw new AppError("usage.invalid", `"${safeLine(fingerprint, 80)}" is no fingerprint: it has 64 hex digits`);
}

/** What was not said is as it was; nothing is ever unlimited (IN-16). */
function boundsFrom(
  { maxFiles, maxSeconds, maxBytes }: Pick<SourceChange, "maxFiles" | "maxSeconds" | "maxBytes">,
  before: SyncBounds,
): SyncBounds | undefined {
  if (maxFiles === undefined && maxSeconds === undefined && maxBytes === undefined) return undefined;
  return {
    files: checkedBound("files", maxFiles ?? before.files),
    seconds: checkedBound("seconds", maxSeconds ?? before.seconds),
    bytes: checkedBound("bytes", maxBytes ?? before.bytes),
  };
}

function checkedBound(what: keyof SyncBounds, bound: number): number {
  if (Number.isSafeInteger(bound) && bound > 0 && bound <= mostBounds[what]) return bound;
  throw new AppError("usage.invalid", `one sync reads from 1 to ${mostBounds[what]} ${what}`);
}
