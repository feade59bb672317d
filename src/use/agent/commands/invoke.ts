import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { AgentSkill, OpenedSkill } from "../skills/agent-skill.ts";
import { renderInvocation } from "../talk/invocation.ts";
import type { Invocation } from "../talk/conversation.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import { findSkill, whyNotCallable } from "./find-skill.ts";
import { refuse } from "./reply.ts";

/**
 * AG-5: the instructions of these skills as a message of the person, of all of them or none. Nothing is done when one of
 * them cannot be used; where they cannot be held together nothing is sent.
 */
export async function invokeSkills(
  context: CommandContext,
  names: readonly string[],
  args: string,
): Promise<CommandResult> {
  const { opened, refusals } = await openAll(context, names);
  if (refusals.length > 0) return refuse(...refusals, ...(names.length > 1 ? ["nothing was sent"] : []));
  // Before anything is done: too much text is refused here.
  const invocations = opened.map((each) => invocationOf(each, args));
  context.signal.throwIfAborted();
  const confirmed = await confirmOpened(context, opened);
  await context.hold(confirmed.map(({ of }) => of));
  for (const { of } of confirmed) context.used("invoked", of);
  return { is: "message", text: invocations.map(({ text }) => text).join("\n\n"), invocations };
}

function invocationOf({ of, skill }: OpenedSkill, args: string): Invocation {
  const text = renderInvocation({ name: of.alias, body: skill.body, args });
  return { name: of.alias, entry: of.entry, digest: skill.digest, text };
}

async function openAll(
  context: CommandContext,
  names: readonly string[],
): Promise<{ readonly opened: readonly OpenedSkill[]; readonly refusals: readonly string[] }> {
  const opened = new Map<string, OpenedSkill>();
  const refusals: string[] = [];
  for (const name of names) {
    context.signal.throwIfAborted();
    const one = await openNamed(context, name);
    if (typeof one === "string") refusals.push(one);
    else if (opened.has(one.of.entry)) refusals.push(`"${safeLine(name, 80)}" is named twice`);
    else opened.set(one.of.entry, one);
  }
  return { opened: [...opened.values()], refusals };
}

async function openNamed({ skills }: CommandContext, name: string): Promise<OpenedSkill | string> {
  const skill = findSkill(skills, name);
  if (typeof skill === "string") return skill;
  const why = whyNotCallable(skill);
  if (why !== undefined) return `"${safeLine(name, 80)}": ${why}`;
  try {
    return await skills.open(skill);
  } catch (error) {
    if (error instanceof AppError) return `"${safeLine(name, 80)}": ${safeLine(error.message, 240)}`;
    throw error;
  }
}

/**
 * AG-2: who invokes a skill has confirmed these bytes, but not what they ask to have granted. What the agent wrote itself in
 * this session stays as it is: it may have been told to write it. Where nobody sits nothing is confirmed for good.
 */
async function confirmOpened(context: CommandContext, opened: readonly OpenedSkill[]): Promise<readonly OpenedSkill[]> {
  const { skills, isAttended } = context;
  const unconfirmed = opened.map(({ of }) => of).filter(({ standing }) => standing === "unconfirmed");
  if (unconfirmed.length === 0 || !isAttended) return opened;
  await context.confirm(unconfirmed, { grants: false });
  return opened.map((each) => ({ ...each, of: asItStands(skills.set.skills, each.of) }));
}

/** The same bytes in the set of now: with another standing it may have another alias. */
function asItStands(skills: readonly AgentSkill[], of: AgentSkill): AgentSkill {
  return skills.find(({ entry, digest }) => entry === of.entry && digest === of.digest) ?? of;
}
