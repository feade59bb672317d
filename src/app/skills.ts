import type { Digest } from "../base/digest.ts";
import type { Finding } from "../base/finding.ts";
import { demand } from "../registry/accounts/roles.ts";
import type { Decision } from "../registry/decision.ts";
import type { Entry } from "../registry/entry.ts";
import type { Look } from "../registry/registry.ts";
import type { State } from "../registry/state.ts";
import { listTargetsOf } from "../use/llm/attachments.ts";
import type { App } from "./app.ts";
import {
  decisionsIn,
  type EntryLine,
  lineOf,
  type RevisionView,
  shownRevision,
  standingIn,
  viewRevision,
} from "./entry-view.ts";
import { demandEntry, demandSourceIn } from "./find.ts";
import { type ProvenanceView, viewProvenance } from "./provenance-view.ts";
import { type Page, pageOf, type PageWanted } from "./page.ts";
import { type Reasons, reasonsFor } from "./reasons.ts";
import { seenBy } from "./seen.ts";

export interface SkillsWanted extends PageWanted {
  readonly state?: State | undefined;
  /** Only what may be used, whether all of it is approved or an older revision is held. */
  readonly usable?: boolean | undefined;
  readonly source?: string | undefined;
  /** A part of the name, the id or the description, in whatever case. */
  readonly q?: string | undefined;
}

export interface Skills extends Page<EntryLine> {
  /** What was noticed about the registry itself: words that do not fit, rows that were changed by hand. */
  readonly noticed: readonly Finding[];
}

/** Every entry that one may see, whatever its state (RV-12). */
export async function listSkills({ registry, person, review }: App, wanted: SkillsWanted): Promise<Skills> {
  demand(person, "read", review.policy);
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

export interface SkillView extends EntryLine {
  /** The one in use; without one, the current one. */
  readonly revision: RevisionView;
  /** Why each kind of finding in it matters. */
  readonly reasons: Reasons;
  /** The tools that are pre-approved by the word in force. */
  readonly granted: readonly string[];
  readonly provenance: ProvenanceView;
  /** The words so far, the oldest first. */
  readonly decisions: readonly Decision[];
  readonly attachedTo: readonly string[];
  /** What was noticed about the registry itself. */
  readonly noticed: readonly Finding[];
}

export async function showSkill(app: App, typed: string): Promise<SkillView> {
  demand(app.person, "read", app.review.policy);
  const look = seenBy(app.person, await app.registry.look());
  const entry = demandEntry(look, typed);
  const digest = shownRevision(look, entry);
  const revision = await viewRevision(app.registry, look, entry, digest);
  return {
    ...lineOf(look, entry, digest),
    revision,
    reasons: await reasonsFor(revision.findings),
    granted: look.snapshot.usable.get(entry.id)?.grants ?? [],
    provenance: await viewProvenance(app, look, entry),
    decisions: decisionsIn(look, entry.id),
    attachedTo: await listTargetsOf(app.llm, entry.id),
    noticed: [...look.snapshot.findings, ...(await tamperingOfCurrent(app, entry, digest))],
  };
}

/** What waits is verified too, when something else is shown. */
async function tamperingOfCurrent({ registry }: App, { current }: Entry, shown: Digest): Promise<readonly Finding[]> {
  return shown === current ? [] : (await registry.open(current)).findings;
}
