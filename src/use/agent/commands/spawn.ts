import { safeLine } from "../../../base/text.ts";
import type { SpawnOutcome, Spawned } from "../spawn/spawn.ts";
import type { CommandContext, CommandResult, SlashCommand } from "./command.ts";
import { findSkill } from "./find-skill.ts";
import { answer, refuse } from "./reply.ts";
import { readSpawnLine } from "./spawn-line.ts";

export const spawnCommand: SlashCommand = {
  name: "/spawn",
  usage: "[skills…] [--] <task>",
  about: "a sub-agent that may do what these skills allow",
  async run(context, rest) {
    const { skills, builtIns } = context;
    const check = (name: string) => (builtIns.includes(name) ? "one" : skills.find(name).is);
    const line = readSpawnLine(rest, check, [...builtIns, ...skills.set.skills.map(({ alias }) => alias)]);
    if (typeof line === "string") return refuse(line);
    const ids: string[] = [];
    for (const name of line.names) {
      const id = await capabilityId(context, name);
      if (id.isRefused) return refuse(id.why);
      ids.push(id.id);
    }
    const spawned = await context.spawner.spawn({ task: line.task, skills: ids, signal: context.signal });
    return resultOf(spawned);
  },
};

type CapabilityId =
  | { readonly isRefused: false; readonly id: string }
  | { readonly isRefused: true; readonly why: string };

async function capabilityId(context: CommandContext, name: string): Promise<CapabilityId> {
  if (context.builtIns.includes(name)) return { isRefused: false, id: name };
  const skill = findSkill(context.skills, name);
  if (typeof skill === "string") return { isRefused: true, why: skill };
  return { isRefused: false, id: await context.capability(skill) };
}

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
