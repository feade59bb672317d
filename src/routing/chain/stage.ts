import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";
import { type Asking, askLink, type Breaker, hear, type Heard, linkFinding, type Pass, type Reply } from "./asking.ts";
import type { Board, Cluster } from "./board.ts";
import type { Asked, Evidence, Link } from "../link.ts";
import type { TraceStep } from "../routed.ts";

/** A link in its place in a chain, with what is known of how it does. */
export interface Stage {
  readonly link: Link;
  readonly breaker: Breaker;
}

export interface Taking {
  readonly board: Board;
  readonly asked: Pick<Asked, "query" | "shelf" | "allows">;
  /** What the text names only to say that it is not wanted. */
  readonly declined: ReadonlySet<EntryId>;
  readonly asking: Asking;
}

export interface Took {
  readonly step: TraceStep;
  readonly findings: readonly Finding[];
}

/** RT-4: asks one link and puts what it says on the board. Whatever it does, what the others said stays. */
export async function takeStage({ link, breaker }: Stage, given: Taking): Promise<Took> {
  const { board, asking } = given;
  const taking = { ...given, asked: { ...given.asked, allows: allowsFor(link, given) } };
  const open = board.open;
  const shown = link.role === "judges" ? open.slice(0, link.shown) : [];
  if (link.role === "judges" && shown.length === 0) return skipped(link, "there is nothing to judge");
  const start = asking.clock.now();
  const pass = breaker.enter(start);
  if (pass === null) return resting(link, breaker.restLeft(start));
  const reply = await replyTo(link, taking, open, () => breaker.left(pass));
  const heard = hear(link, reply, mayNameOf(link, shown, taking));
  const end = asking.clock.now();
  tell(breaker, pass, heard, end);
  if (heard.evidence !== null && link.role === "judges") board.judge(link, shown, heard.evidence);
  else board.add(link, heard.evidence ?? []);
  return { step: stepOf(link, heard, shown.length, Math.max(0, end - start)), findings: heard.findings };
}

async function replyTo(
  link: Link,
  { asked, asking }: Taking,
  open: readonly Cluster[],
  onLeft: () => void,
): Promise<Reply> {
  const soFar = open.map(({ speaker, confidence }) => ({ entry: speaker.entry.id, confidence, why: speaker.why }));
  try {
    return await askLink(link, { ...asked, soFar }, asking);
  } catch (error) {
    onLeft();
    throw error;
  }
}

/** What was declined is found by nothing but an explicit link. Once it is, the others may speak for it too. */
function allowsFor(link: Link, { asked, board, declined }: Taking): (entry: EntryId) => boolean {
  if (declined.size === 0 || link.isExplicit === true) return (entry) => asked.allows(entry);
  return (entry) => asked.allows(entry) && (!declined.has(entry) || board.has(entry));
}

/** A finder names what may be chosen, a judge what it was shown: it adds nothing that no finder found. */
function mayNameOf(link: Link, shown: readonly Cluster[], { asked }: Taking): (entry: string) => boolean {
  if (link.role === "finds") return (entry) => asked.allows(entry);
  const names = new Set(shown.map(({ speaker }) => speaker.entry.id));
  return (entry) => names.has(entry);
}

function tell(breaker: Breaker, pass: Pass, { evidence }: Heard, now: number): void {
  if (evidence === null) breaker.failed(pass, now);
  else breaker.succeeded(pass);
}

const mostSaid = 10;

function stepOf(link: Link, { outcome, evidence, note }: Heard, shown: number, milliseconds: number): TraceStep {
  const all = (evidence ?? []).toSorted((a, b) => b.confidence - a.confidence);
  const notes = [note, asideNote(link, evidence, shown), moreNote(all.length)].filter((each) => each !== null);
  const said = all.slice(0, mostSaid);
  return { link: link.name, outcome, milliseconds, said, note: notes.length === 0 ? null : notes.join("; ") };
}

function asideNote(link: Link, evidence: readonly Evidence[] | null, shown: number): string | null {
  if (link.role === "finds" || evidence === null || evidence.length === shown) return null;
  return `put ${shown - evidence.length} of ${shown} aside`;
}

function moreNote(all: number): string | null {
  return all > mostSaid ? `and ${all - mostSaid} more` : null;
}

function resting(link: Link, milliseconds: number): Took {
  const next = milliseconds === 0 ? "another query is trying it" : `asked again in ${Math.ceil(milliseconds / 1000)} s`;
  const note = `it failed several times in a row; ${next}`;
  const message = `is not asked for a while: ${note}`;
  return { ...skipped(link, note), findings: [linkFinding(link, "route.link-skipped", message)] };
}

function skipped(link: Link, note: string): Took {
  return { step: { link: link.name, outcome: "skipped", milliseconds: 0, said: [], note }, findings: [] };
}
