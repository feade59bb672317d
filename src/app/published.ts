import type { Digest } from "../base/digest.ts";
import { AppError } from "../base/error.ts";
import type { Finding } from "../base/finding.ts";
import type { EntryId } from "../base/ids.ts";
import { safeLine, safeName, storedText } from "../base/text.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { Look } from "../registry/registry.ts";
import { artifactOf, isArtifact } from "../use/publish/artifact.ts";
import type { PublishedRow } from "../use/publish/port.ts";
import { type PublishedContext, switchOff, switchOn, tamperedRow } from "../use/publish/published.ts";
import type { App } from "./app.ts";
import { nameIn, standingIn } from "./entry-view.ts";
import { demandEntry } from "./find.ts";
import { PublicShelf, type Shelved } from "./public-shelf.ts";
import { demandAll } from "./route/demand-all.ts";

/** One skill that is switched on for publishing (SV-6). */
export interface PublishedLine {
  readonly entry: EntryId;
  readonly name: string;
  /** The approved revision that is served; null: nothing is, and the findings say why. */
  readonly digest: Digest | null;
  readonly at: number;
  readonly by: string;
  readonly findings: readonly Finding[];
}

/** Switches a skill on: by its id, or by a name only one has. Only what may be used now, and can stand in the index. */
export async function publishSkill(app: App, typed: string): Promise<PublishedLine> {
  demand(app.person, "administer", app.review.policy);
  const look = await app.registry.look();
  const { id } = demandEntry(look, typed);
  await demandPublishable(app, look, id);
  const row = await switchOn(contextOf(app), id);
  const shelf = await new PublicShelf(app).look();
  const shelved = shelf.skills.find((each) => each.row.entry === id);
  return lineOf(shelf.look, row, servedOf(shelved), shelved?.findings ?? []);
}

/** Switches it off again, also a skill that the registry has no more. */
export async function unpublishSkill(app: App, typed: string): Promise<{ readonly entry: EntryId }> {
  demand(app.person, "administer", app.review.policy);
  // An id that has a row is meant as it is, whether there is such an entry or not.
  const row = await app.kept.read.findPublished(typed);
  const entry = row?.entry ?? demandEntry(await app.registry.look(), typed).id;
  await switchOff(contextOf(app), entry);
  return { entry };
}

/** All that is switched on; every byte of it is verified. */
export async function listPublished(app: App): Promise<readonly PublishedLine[]> {
  demandAll(app.person, app.review.policy, "what is published concerns all of them");
  const { look, skills, tampered } = await new PublicShelf(app).look();
  const lines = [
    ...skills.map((shelved) => lineOf(look, shelved.row, servedOf(shelved), shelved.findings)),
    ...tampered.map((row) => lineOf(look, row, null, [tamperedRow(row)])),
  ];
  return lines.toSorted((a, b) => (a.entry < b.entry ? -1 : 1));
}

async function demandPublishable(app: App, look: Look, id: EntryId): Promise<void> {
  const { state, reason } = standingIn(look, id);
  if (!look.snapshot.usable.has(id)) throw unusable(id, `it is ${state}: ${safeLine(reason, 240)}`);
  const made = artifactOf(id, await app.registry.use(look.snapshot, id));
  if (!isArtifact(made)) throw unusable(id, made.message);
}

function servedOf(shelved: Shelved | undefined): Digest | null {
  return shelved?.listed === undefined ? null : (shelved.use?.digest ?? null);
}

/** A row that was changed by hand may hold anything: it is shown all the same. */
function lineOf(
  look: Look,
  { entry, at, by }: PublishedRow,
  digest: Digest | null,
  findings: readonly Finding[],
): PublishedLine {
  const id = storedText(entry);
  return {
    entry: id,
    name: safeName(nameIn(look, id)),
    digest,
    at: Number.isSafeInteger(at) ? at : 0,
    by: safeName(storedText(by)),
    findings,
  };
}

function unusable(entry: EntryId, why: string): AppError {
  return new AppError("entry.unusable", `${safeLine(entry, 240)} cannot be published: ${why}`);
}

function contextOf({ kept, keys, world, review, person }: App): PublishedContext {
  return { kept, keys, clock: world.clock, policy: review.policy, person };
}
