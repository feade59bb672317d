import type { Look } from "../../registry/registry.ts";
import type { App } from "../../app/app.ts";
import { type AttachedSkill, attachedEverywhere } from "../configurations/attach.ts";
import { attentionIn, type NodeFault } from "./attention.ts";
import { listAudit } from "../audit/flow.ts";
import { demonstrationId, hasDemonstration, isAttachedByItself } from "./demonstration.ts";
import { waitingIn } from "../review/queue.ts";
import { demandAll } from "../skills/find.ts";
import { listSourceLines } from "../sources/flow.ts";
import { usageByDay } from "../usage/flow.ts";
import type { Overview } from "./schema.ts";

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

/** What people have done so far: what the demonstration did by itself is none of it. Null: all of it. */
async function tourOf({ kept }: App, { facts }: Look, attached: readonly AttachedSkill[]): Promise<Overview["tour"]> {
  const decisions = [...facts.ledger.decisions.values()].flat();
  const steps: NonNullable<Overview["tour"]> = [
    {
      title: "Add a source",
      about: "A repository, a marketplace or a folder: its skills are read, and none is used yet.",
      on: "source",
      done: [...facts.sources.values()].some(({ addedBy }) => addedBy !== demonstrationId),
    },
    {
      title: "Approve a skill",
      about: "Look at what it says and can reach, then sign exactly these bytes.",
      on: "review",
      done: decisions.some(({ word, by }) => word === "approve" && by !== demonstrationId),
    },
    {
      title: "Attach it to a configuration",
      about: "Whatever is asked through the configuration is answered with the skill.",
      on: "configuration",
      done: attached.some(({ target, attached: { entry } }) => !isAttachedByItself(target, entry)),
    },
    {
      title: "Send a request",
      about: "Any client of OpenAI or Anthropic can: give it the address of this server and a key.",
      on: "api",
      done: (await kept.read.usageBatches({ after: "", limit: 1 })).length > 0,
    },
  ];
  return steps.every(({ done }) => done) ? null : steps;
}
