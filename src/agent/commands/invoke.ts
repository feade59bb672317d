import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { defuse } from "../../compose/defuse.ts";
import type { AgentSkill, OpenedSkill } from "../skills/agent-skill.ts";
import type { Invocation } from "../talk/saved.ts";
import { type CommandContext, type CommandResult, findSkill, refuse, whyNotCallable } from "./command.ts";

/**
 * AG-5: the instructions of these skills as a message of the person, of all of them or none. Nothing is done when one of
 * them cannot be used; where they cannot be held together nothing is sent.
 */
export async function invokeSkills(
  context: CommandContext,
  names: readonly string[],
  args: string,
  signal: AbortSignal,
): Promise<CommandResult> {
  const { opened, refusals } = await openAll(context, names, signal);
  if (refusals.length > 0) return refuse(...refusals, ...(names.length > 1 ? ["nothing was sent"] : []));
  // Before anything is done: too much text is refused here.
  const invocations = opened.map(({ of, skill }): Invocation => {
    const text = renderInvocation({ name: of.alias, body: skill.body, args });
    return { name: of.alias, entry: of.entry, digest: skill.digest, text };
  });
  signal.throwIfAborted();
  const confirmed = await confirmOpened(context, opened);
  await context.hold(confirmed.map(({ of }) => of));
  for (const { of } of confirmed) context.used("invoked", of);
  return { is: "message", text: invocations.map(({ text }) => text).join("\n\n"), invocations };
}

async function openAll(
  context: CommandContext,
  names: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly opened: readonly OpenedSkill[]; readonly refusals: readonly string[] }> {
  const opened = new Map<string, OpenedSkill>();
  const refusals: string[] = [];
  for (const name of names) {
    signal.throwIfAborted();
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
  // The same bytes in the set of now: with another standing one may have another alias.
  const asItStands = (of: AgentSkill): AgentSkill =>
    skills.set.skills.find(({ entry, digest }) => entry === of.entry && digest === of.digest) ?? of;
  return opened.map(({ of, ...opening }) => ({ ...opening, of: asItStands(of) }));
}

/** A skill as a person calls it. */
interface InvokedSkill {
  /** Its alias. */
  readonly name: string;
  /** Its instructions, without front-matter. */
  readonly body: string;
  /** What was typed behind the name. */
  readonly args: string;
}

/** In characters. A small body can ask for long arguments a thousand times. */
const longestFilled = 4 * 1024 * 1024;
const newlines = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** AG-5: the message that stands for an invocation. What is filled in cannot forge a marker either (CO-3, T30). */
export function renderInvocation({ name, body, args }: InvokedSkill): string {
  const shownName = defuse(safeLine(name, 320)).text;
  const given = args.trim();
  const ending = given === "" ? "" : ` with arguments: "${given.replace(newlines, " ")}"`;
  return `Apply Skill "${shownName}"${ending}\n\n${defuse(fillIn(body, given, shownName)).text}`;
}

/** A backslash before it, or a letter or digit behind it, makes it something else: `\$1`, `$10`, `$ARGUMENTS_FILE`. */
const placeholder = /(?<!\\)\$(?:ARGUMENTS|([1-9]))(?!\w)/g;

/** In one pass: what was filled in is not looked at again. Of words that were not given the place stays: awk has a `$1` too. */
function fillIn(body: string, given: string, name: string): string {
  const words = firstWords(given);
  let length = body.length;
  return body.replace(placeholder, (place, number: string | undefined) => {
    const text = number === undefined ? given : (words[Number(number) - 1] ?? place);
    length += text.length - place.length;
    if (length <= longestFilled) return text;
    const most = longestFilled.toLocaleString("en");
    throw new AppError(
      "usage.invalid",
      `with these arguments the instructions of "${name}" have more than ${most} characters: give shorter ones`,
    );
  });
}

/** A quote groups where a word begins: the one in `don't` does not. */
const word = /"([^"]*)"|'([^']*)'|\S+/g;
const mostWords = 9;

function firstWords(given: string): readonly string[] {
  const words: string[] = [];
  for (const [whole, inDouble, inSingle] of given.matchAll(word)) {
    if (words.push(inDouble ?? inSingle ?? whole) === mostWords) break;
  }
  return words;
}
