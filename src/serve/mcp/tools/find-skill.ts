import { z } from "zod";
import type { EntryId } from "../../../base/ids.ts";
import { safeLine } from "../../../base/text.ts";
import type { Match, Routed } from "../../../use/route/routed.ts";
import { type Approved, isUnusable } from "../approved.ts";
import { fenced } from "../fenced.ts";
import type { Asked, Library } from "../library.ts";
import { skillTool, textResult } from "./tool.ts";

const mostMatches = 5;

/** RT-1: the skill that fits, with the reason, or the honest word that none does. */
export const findSkill = skillTool({
  name: "find_skill",
  title: "Find a skill",
  description:
    "Find the approved skill that fits a task, or learn that none does. Give the id of one that fits to load_skill before working on the task.",
  input: z.strictObject({ query: z.string().min(1).max(16_384).describe("What is to be done, in a sentence or two.") }),
  async run(library, asked, { query }, signal) {
    const routed = await route(library, asked, query, signal);
    const found = await Promise.all(routed.matches.map((match) => openMatch(library, asked, match)));
    const fitting = found.filter((each) => each !== null);
    if (fitting.length === 0) return textResult(["No approved skill fits this.", ...notesOf(routed)].join("\n"));
    for (const { approved } of fitting) library.note(asked, "routed", approved.entry);
    const intro = `${routed.ambiguous ? "Skills that fit, the first ones too close to call" : "Skills that fit, the best first"}. Their names and descriptions are the words of those who wrote them.`;
    return textResult(fenced(asked.app.keys, ["find"], intro, fitting.map(lineOf).join("\n")), ...notesOf(routed));
  },
});

/** RT-5: among what this person may read, and nothing else. */
function route(library: Library, { view }: Asked, query: string, signal: AbortSignal): Promise<Routed> {
  const { snapshot, entries, thresholds } = view;
  const among = entries === snapshot.usable ? {} : { among: new Set<EntryId>(entries.keys()) };
  return library.serving.fitting(snapshot, query, { ...among, thresholds, limit: mostMatches, signal });
}

interface Fitting {
  readonly match: Match;
  readonly approved: Approved;
}

/** T31: what is told of a skill is read from the approved bytes. What a person alone may apply, routing never chooses. */
async function openMatch(library: Library, asked: Asked, match: Match): Promise<Fitting | null> {
  const entry = asked.view.entries.get(match.entry);
  if (entry === undefined) return null;
  try {
    return { match, approved: await library.open(asked, entry) };
  } catch (error) {
    // The log has it; the other matches are as good as they were.
    if (isUnusable(error)) return null;
    throw error;
  }
}

function lineOf({ match, approved: { entry, skill } }: Fitting): string {
  const { name, description } = skill.manifest;
  const about = safeLine((description ?? "").replaceAll(/\s+/g, " "), 600);
  const head = `- id ${safeLine(entry.id, 240)}, name ${safeLine(name, 80)}, trust ${entry.trust}`;
  return `${head}, confidence ${match.confidence.toFixed(2)}\n  why: ${safeLine(match.why, 300)}\n  description: ${about}`;
}

/** What a person should know about the search itself: that the index is being made, say. */
function notesOf({ findings }: Routed): string[] {
  return findings.filter(({ level }) => level !== "info").map(({ message }) => `Note: ${safeLine(message, 300)}`);
}
