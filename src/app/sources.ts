import { AppError } from "../base/error.ts";
import type { Source } from "../ingest/source/source.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { State } from "../registry/state.ts";
import { addFolder, changeSource, listSources, removeSource } from "../registry/sync/sources.ts";
import type { App } from "./app.ts";
import { standingIn } from "./entry-view.ts";
import { demandNamedSource } from "./find.ts";
import { countWaiting } from "./queue.ts";
import { settingsFrom, type SourceWishes } from "./source-settings.ts";
import { type SyncReport, syncSources, type SyncsOptions } from "./syncs.ts";

/** Adds a folder and reads it, unless only adding was asked for. A first sync that fails leaves the source added. */
export async function addSource(
  app: App,
  folder: string,
  { id, sync = true, ...wishes }: SourceWishes & { readonly id?: string | undefined; readonly sync?: boolean },
  options: SyncsOptions = {},
): Promise<SyncReport & { readonly source: Source }> {
  demand(app.person, "administer", app.review.policy);
  const settings = { ...settingsFrom(wishes, app.config.sync), ...(id === undefined ? {} : { id }) };
  const added = await addFolder(app.sync, app.person, folder, settings);
  const report = sync ? await syncSources(app, [added.id], options) : { results: [], waiting: await countWaiting(app) };
  return { source: await demandNamedSource(app.kept.read, added.id), ...report };
}

export interface SourceView {
  readonly source: Source;
  /** How many of its skills are in which state. */
  readonly states: Readonly<Partial<Record<State, number>>>;
}

export async function showSource(app: App, id: string): Promise<SourceView> {
  demand(app.person, "read", app.review.policy);
  const known = await demandNamedSource(app.kept.read, id);
  const source = (await listSources(app.sync, app.person)).find((each) => each.id === id) ?? known;
  const look = await app.registry.look();
  const states: Partial<Record<State, number>> = {};
  for (const entry of look.facts.entries.values()) {
    const { state } = standingIn(look, entry.id);
    if (entry.source === id) states[state] = (states[state] ?? 0) + 1;
  }
  return { source, states };
}

export async function setSource(app: App, id: string, wishes: SourceWishes): Promise<SourceView> {
  demand(app.person, "administer", app.review.policy);
  const { bounds } = await demandNamedSource(app.kept.read, id);
  const settings = settingsFrom(wishes, bounds ?? app.config.sync);
  if (Object.keys(settings).length === 0)
    throw new AppError("usage.invalid", "say what to change; `skillward source set --help` lists what can be");
  await changeSource(app.sync, app.person, id, settings);
  return showSource(app, id);
}

/** Says how many skills went out of use with it. */
export async function dropSource(
  app: App,
  id: string,
): Promise<{ readonly source: string; readonly orphaned: number }> {
  demand(app.person, "administer", app.review.policy);
  await demandNamedSource(app.kept.read, id);
  return { source: id, orphaned: await removeSource(app.sync, app.person, id) };
}
