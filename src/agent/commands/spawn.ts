import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import type { SpawnOutcome, Spawned } from "../spawn/spawn.ts";
import { answer, type CommandResult, findSkill, refuse, type SlashCommand } from "./command.ts";
import { readName, skipBlanks } from "./parse-line.ts";

export const spawnCommand: SlashCommand = {
  name: "/spawn",
  usage: "[skills…] [--] <task>",
  about: "a sub-agent that may do what these skills allow",
  async run(context, rest, signal) {
    const { skills, builtIns, spawner } = context;
    const check: NameCheck = (name) => (builtIns.includes(name) ? "one" : skills.find(name).is);
    const line = readSpawnLine(rest, check, [...builtIns, ...skills.set.skills.map(({ alias }) => alias)]);
    if (typeof line === "string") return refuse(line);
    const ids: string[] = [];
    for (const name of line.names) {
      const skill = builtIns.includes(name) ? null : findSkill(skills, name);
      if (typeof skill === "string") return refuse(skill);
      ids.push(skill === null ? name : await context.capability(skill));
    }
    return resultOf(await spawner.spawn({ task: line.task, skills: ids, signal }));
  },
};

async function resultOf(spawned: Spawned): Promise<CommandResult> {
  if (spawned.status === "forbidden")
    return answer({ isError: true, notes: [safeLine(spawned.error, 320)], findings: spawned.findings });
  if (spawned.status === "error") {
    const reasons = spawned.errors.map(({ skill, reason }) => safeLine(`${skill}: ${reason}`, 320));
    return refuse(...(reasons.length > 0 ? reasons : [safeLine(spawned.error, 320)]));
  }
  const outcome = await spawned.done;
  return answer({
    title: `the sub-agent ${ends[outcome.end]}`,
    text: outcome.text,
    findings: [...spawned.findings, ...outcome.findings],
    ...(outcome.end === "finished" ? {} : { isError: true }),
  });
}

const ends = {
  finished: "finished",
  failed: "failed",
  timeout: "ran out of time",
  cancelled: "was cancelled",
  turns: "ran out of turns",
} as const satisfies Record<SpawnOutcome["end"], string>;

interface SpawnLine {
  readonly names: readonly string[];
  readonly task: string;
}

/** Whether somebody has this name; `several`: it has to be said which. */
type NameCheck = (name: string) => "one" | "several" | "none";

const mostNames = 64;

/** Letters. What is shorter is near to almost anything, and what is longer is no name. */
const typo = { least: 4, most: 64 };

/**
 * `a b: task`, `a b -- task`, or names as long as they are known and then the task. A text says what is wrong: a scope
 * that was misspelt would be no scope at all, so that a word that is almost a name is asked about.
 */
function readSpawnLine(rest: string, check: NameCheck, known: readonly string[]): SpawnLine | string {
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const word = readWord(rest, at, check);
    if (word.is === "several") return `"${safeLine(word.name, 80)}" is the name of several skills; /skills lists them`;
    if (word.is === "task") {
      const isLikeName = word.name.length >= typo.least && word.name.length <= typo.most;
      const near = isLikeName ? nearest(word.name, known) : undefined;
      return near === undefined ? withTask(names, rest.slice(at)) : misspelt(word.name, near);
    }
    at = skipBlanks(rest, word.end);
    if (word.is === "end") return withTask(names, rest.slice(at));
    names.push(word.name);
    if (names.length > mostNames) return `more than ${mostNames} skills for one sub-agent`;
    if (word.isLast) return withTask(names, rest.slice(at));
  }
}

type Word =
  | { readonly is: "name"; readonly name: string; readonly end: number; readonly isLast: boolean }
  | { readonly is: "several"; readonly name: string }
  | { readonly is: "end"; readonly end: number }
  | { readonly is: "task"; readonly name: string };

function readWord(rest: string, at: number, check: NameCheck): Word {
  const read = readName(rest, at);
  if (read === undefined) return { is: "task", name: "" };
  if (rest.slice(at, read.end) === "--") return { is: "end", end: read.end };
  const found = check(read.name);
  // Behind a quote the colon stands apart; in a plain word it is the last letter, unless it is one of the name's own.
  const colonAt = rest[read.end] === ":" && rest[at] === '"';
  if (found === "one") return { is: "name", name: read.name, end: read.end + (colonAt ? 1 : 0), isLast: colonAt };
  if (found === "several") return { is: "several", name: read.name };
  const stem = read.name.endsWith(":") ? read.name.slice(0, -1) : null;
  if (stem === null) return { is: "task", name: read.name };
  const ofStem = check(stem);
  if (ofStem === "one") return { is: "name", name: stem, end: read.end, isLast: true };
  return ofStem === "several" ? { is: "several", name: stem } : { is: "task", name: stem };
}

function withTask(names: readonly string[], text: string): SpawnLine | string {
  const task = text.trim();
  return task === "" ? "what is the task? /spawn <skills…> <task>" : { names, task };
}

function misspelt(word: string, near: string): string {
  return `"${safeLine(word, 80)}" is no skill: did you mean ${safeLine(near, 160)}? If the task begins there, put -- before it`;
}
