import type { Look } from "../registry/registry.ts";
import type { App } from "./app.ts";
import type { AttachedSkill } from "./attached-everywhere.ts";
import type { Subject } from "./attention.ts";
import { demonstrationId, isAttachedByItself } from "./demonstration.ts";

/** One of the first steps, with what it is taken on. */
export interface TourStep {
  readonly title: string;
  readonly about: string;
  readonly on: Subject["kind"];
  readonly done: boolean;
}

/** What people have done so far: what the demonstration did by itself is none of it. Null: all of it. */
export async function tourOf(
  { kept }: App,
  { facts }: Look,
  attached: readonly AttachedSkill[],
): Promise<readonly TourStep[] | null> {
  const decisions = [...facts.ledger.decisions.values()].flat();
  const steps: readonly TourStep[] = [
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
