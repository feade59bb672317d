import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { safeLine, safeName, storedText } from "../../core/text.ts";
import { type Permit, requireRight } from "../../registry/accounts/permit.ts";
import type { Look } from "../../registry/registry.ts";
import { artifactOf, isArtifact } from "../../workspace/artifact.ts";
import type { PublishedRow } from "../../workspace/workspace.ts";
import { type PublishedContext, switchOff, switchOn, tamperedRow } from "../../workspace/published.ts";
import type { App } from "../../app/app.ts";
import { nameIn, standingIn } from "../skills/view.ts";
import { demandEntry, requireRightToAll } from "../skills/find.ts";
import { PublicShelf, type ShelfAt, type Shelved } from "./public-shelf.ts";
import type { PublishedLine, PublishedView } from "./schema.ts";

type Shelf = Pick<PublicShelf, "look">;

/**
 * Switches a skill on: by its id, or by a name only one has. Only what may be used now, and can stand in the index.
 * `shelf`, here as below: that of the running node, which keeps what it has made; without one all of it is made now.
 */
export async function publishSkill(
  app: App,
  typed: string,
  shelf: Shelf = new PublicShelf(app),
): Promise<PublishedLine> {
  const permit = requireRight(app, "administer");
  const look = await app.registry.look();
  const { id } = demandEntry(look, typed);
  await demandPublishable(app, look, id);
  const row = await switchOn(contextOf(app, permit), id);
  return lineFor(await shelf.look(), id) ?? lineOf(look, row, null, []);
}

/** Switches it off again, also a skill that the registry has no more. */
export async function unpublishSkill(app: App, typed: string): Promise<{ readonly entry: EntryId }> {
  const permit = requireRight(app, "administer");
  // An id that has a row is meant as it is, whether there is such an entry or not.
  const row = await app.kept.read.findPublished(typed);
  const entry = row?.entry ?? demandEntry(await app.registry.look(), typed).id;
  await switchOff(contextOf(app, permit), entry);
  return { entry };
}

/** All that is switched on; every byte of it was verified when the shelf was made. */
export async function listPublished(app: App, shelf: Shelf = new PublicShelf(app)): Promise<readonly PublishedLine[]> {
  demandPublished(app);
  return linesOf(await shelf.look()).toSorted((a, b) => (a.entry < b.entry ? -1 : 1));
}

/** The same of one: by its id, or by a name only one has. */
export async function showPublished(
  app: App,
  typed: string,
  shelf: Shelf = new PublicShelf(app),
): Promise<PublishedView> {
  demandPublished(app);
  const shown = await shelf.look();
  const { id } = demandEntry(shown.look, typed);
  return { isOpen: app.config.publish.enabled, line: lineFor(shown, id) ?? null };
}

/** RV-12: why something is not served names others. */
function demandPublished(app: App): void {
  requireRightToAll(app, "what is published concerns all of them");
}

function linesOf({ look, skills, tampered }: ShelfAt): PublishedLine[] {
  return [
    ...skills.map((shelved) => lineOf(look, shelved.row, servedOf(shelved), shelved.findings)),
    ...tampered.map((row) => lineOf(look, row, null, [tamperedRow(row)])),
  ];
}

function lineFor(shelf: ShelfAt, id: EntryId): PublishedLine | undefined {
  return linesOf(shelf).find(({ entry }) => entry === id);
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

function contextOf({ kept, keys, world }: App, permit: Permit<"administer">): PublishedContext {
  return { kept, keys, clock: world.clock, permit };
}
