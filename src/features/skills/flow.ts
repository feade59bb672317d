import type { App } from "../../app/app.ts";
import type { Digest } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { exactText, safeLine } from "../../core/text.ts";
import { requireRight } from "../../registry/accounts/permit.ts";
import type { Entry } from "../../registry/entry.ts";
import type { Look } from "../../registry/registry.ts";
import { skillFile } from "../../skill/bundle.ts";
import { demandDigest, demandEntry, demandSourceIn, revisionsSeen, seenBy } from "./find.ts";
import type { Skills, SkillsWanted, SkillText, SkillView, TextWanted } from "./schema.ts";
import { decisionsIn, lineOf, reasonsFor, shownRevision, standingIn, viewProvenance, viewRevision } from "./view.ts";
import type { PageWanted } from "../http/query.ts";

/** Every entry that one may see, whatever its state (RV-12). */
export async function listSkills(app: App, wanted: SkillsWanted): Promise<Skills> {
  const { registry, person } = app;
  requireRight(app, "read");
  const look = seenBy(person, await registry.look());
  demandSourceIn(look, wanted.source);
  const part = wanted.q?.toLowerCase() ?? "";
  const fitting = [...look.facts.entries.values()].filter(
    (entry) => fits(look, entry, wanted) && (part === "" || isAbout(look, entry, part)),
  );
  const page = pageOf(fitting, ({ id }) => id, wanted);
  const items = page.items.map((entry) => lineOf(look, entry, shownRevision(look, entry)));
  return { ...page, items, noticed: look.snapshot.findings };
}

function fits(look: Look, entry: Entry, { state, usable = false, source }: SkillsWanted): boolean {
  if (source !== undefined && entry.source !== source) return false;
  if (usable && !look.snapshot.usable.has(entry.id)) return false;
  return state === undefined || standingIn(look, entry.id).state === state;
}

/** By what its line says of it. */
function isAbout(look: Look, entry: Entry, part: string): boolean {
  const { name = "", description = "" } = look.facts.summaries.get(shownRevision(look, entry)) ?? {};
  return [entry.id, name, description].some((text) => text.toLowerCase().includes(part));
}

export async function showSkill(app: App, typed: string): Promise<SkillView> {
  const permit = requireRight(app, "read");
  const look = seenBy(app.person, await app.registry.look());
  const entry = demandEntry(look, typed);
  const digest = shownRevision(look, entry);
  // Here, so that a list loads nothing of models.
  const { listTargetsOf } = await import("../../models/attachments.ts");
  const revision = await viewRevision(app.registry, look, entry, digest);
  return {
    ...lineOf(look, entry, digest),
    revision,
    reasons: await reasonsFor(revision.findings),
    granted: look.snapshot.usable.get(entry.id)?.grants ?? [],
    provenance: await viewProvenance(app, look, entry),
    decisions: decisionsIn(look, entry.id),
    attachedTo: await listTargetsOf({ ...app.llm, permit }, entry.id),
    noticed: [...look.snapshot.findings, ...(await tamperingOfCurrent(app, entry, digest))],
  };
}

/** What waits is verified too, when something else is shown. */
async function tamperingOfCurrent({ registry }: App, { current }: Entry, shown: Digest): Promise<readonly Finding[]> {
  return shown === current ? [] : (await registry.open(current)).findings;
}

const usualLimit = 100;

/** A page of items in the order of their keys. What is not in it is counted, never silently gone. */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { after = "", limit = usualLimit }: PageWanted,
) {
  const inOrder = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const rest = after === "" ? inOrder : inOrder.filter((item) => keyOf(item) > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const more = rest.length - page.length;
  return { items: page, total: items.length, more, next: more === 0 || last === undefined ? null : keyOf(last) };
}

/** What a page can still render. */
const mostBytes = 2 ** 20;

/** What is rendered, or taken elsewhere. What is to be looked at is `readRaw`, which shows what cannot be seen (RV-4). */
export async function readSkillText(
  app: App,
  typed: string,
  { digest: wanted, file = skillFile }: TextWanted,
): Promise<SkillText> {
  const { registry, kept, person } = app;
  requireRight(app, "read");
  const look = seenBy(person, await registry.look());
  const entry = demandEntry(look, typed);
  const revisions = revisionsSeen(person, kept.read, entry);
  const digest = wanted === undefined ? shownRevision(look, entry) : await demandDigest(revisions, entry, wanted);
  const { bundle, findings } = await registry.open(digest);
  if (bundle === undefined) throw new AppError("store.failed", findings.map(({ message }) => message).join("; "));
  const found = bundle.files.find(({ path }) => path === file);
  if (found === undefined) {
    const where = `the revision ${digest.slice(0, 12)} of ${safeLine(entry.id, 240)}`;
    throw new AppError("record.missing", `there is no file "${safeLine(file, 240)}" in ${where}`);
  }
  return { digest, path: found.path, ...decoded(found.bytes) };
}

function decoded(bytes: Uint8Array): Pick<SkillText, "text" | "reason"> {
  if (bytes.length > mostBytes)
    return { text: null, reason: `it has ${bytes.length} bytes; at most ${mostBytes} are shown as one text` };
  const text = exactText(bytes);
  return { text, reason: text === null ? "it is not UTF-8" : null };
}
