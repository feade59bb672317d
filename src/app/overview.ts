import type { Finding } from "../base/finding.ts";
import type { AuditRecord } from "../registry/audit.ts";
import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";
import { attachedEverywhere } from "./attached-everywhere.ts";
import { type Attention, attentionIn, type NodeFault } from "./attention.ts";
import { listAudit } from "./audit.ts";
import { hasDemonstration } from "./demonstration.ts";
import { waitingIn } from "./queue.ts";
import { demandAll } from "./route/demand-all.ts";
import { listSourceLines } from "./sources.ts";
import { type TourStep, tourOf } from "./tour.ts";
import { type UsageDay, usageByDay } from "./usage-view.ts";

/** What needs somebody today (SV-3). */
export interface Overview {
  readonly generation: number;
  readonly counts: {
    readonly waiting: number;
    readonly blocked: number;
    /** Those of which a revision may be used. */
    readonly enabled: number;
    /** Those that are in their sources. */
    readonly skills: number;
    readonly sources: number;
  };
  /** What to do, the most pressing first. */
  readonly attention: readonly Attention[];
  /** The first steps, and which of them were taken; null once all were. */
  readonly tour: readonly TourStep[] | null;
  /** Whether what `npm start` prepares is there, and can be removed as a whole. */
  readonly hasDemonstration: boolean;
  /** The latest first. */
  readonly recent: readonly AuditRecord[];
  readonly usage: readonly UsageDay[];
  /** What was noticed about the registry itself. */
  readonly noticed: readonly Finding[];
}

const shownDays = 14;
const shownRecords = 10;

/** RV-12: not for whoever is limited. `faults`: what this node says of itself, such as usage that cannot be written down. */
export async function viewOverview(app: App, faults: readonly NodeFault[]): Promise<Overview> {
  demandAll(app.person, app.review.policy, "the overview is of all of them");
  const sources = (await listSourceLines(app)).map(({ source }) => source);
  const attached = await attachedEverywhere(app.llm);
  const look = await app.registry.look();
  const now = app.world.clock.now();
  return {
    generation: look.snapshot.generation,
    counts: { ...countsIn(look), sources: sources.length },
    attention: attentionIn(look, { sources, attached, faults, now }),
    tour: await tourOf(app, look, attached),
    hasDemonstration: await hasDemonstration(app),
    recent: await listAudit(app, { limit: shownRecords }),
    usage: await usageByDay(app, shownDays),
    noticed: look.snapshot.findings,
  };
}

function countsIn(look: Look): Omit<Overview["counts"], "sources"> {
  const states = [...look.snapshot.standings.values()].map(({ state }) => state);
  return {
    waiting: waitingIn(look).length,
    blocked: states.filter((state) => state === "blocked").length,
    enabled: look.snapshot.usable.size,
    skills: states.filter((state) => state !== "orphaned").length,
  };
}
