import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { someOf } from "../../scope/lists.ts";
import { placedIn } from "../agent-faults.ts";
import type { ReplyRow } from "../agent-event.ts";
import { type AgentSkill, type AgentSkills, unconfirmedSkills } from "../skills/agent-skill.ts";
import {
  answer,
  type CommandContext,
  type CommandResult,
  countOf,
  cutList,
  findSkill,
  refuse,
  showInvocation,
  type SlashCommand,
} from "./command.ts";
import { readName, skipBlanks, writeName } from "./parse-line.ts";

const mostNamed = 100;
const unattended = "nobody sits here to confirm anything: begin with --trust-workspace where you vouch for the folder";

/**
 * AG-2: a person's word for skills. Those that are named, with what they ask for, or all unconfirmed ones without; what
 * the agent wrote itself in this session only by name. The bytes are opened first: what blocks is not confirmed.
 */
export async function trustSkills(context: CommandContext, rest: string, signal: AbortSignal): Promise<CommandResult> {
  if (!context.isAttended) return refuse(unattended);
  const named = namedSkills(context.skills, rest);
  if (typeof named === "string") return refuse(named, "nothing was confirmed");
  if (named.length === 0) return answer({ notes: ["nothing to confirm: no skill that can be used is unconfirmed"] });
  const { openable, findings, refusals } = await openEach(context, named, signal);
  // What asks for tools is looked at one by one.
  if (openable.length > 0) await context.skills.confirm(openable, { grants: rest !== "" });
  const now = new Map(context.skills.set.skills.map((skill) => [skill.entry, skill]));
  const rows = [...openable.map((skill) => trustedRow(skill, now.get(skill.entry))), ...refusals];
  const confirmed = rows.filter(({ tone }) => tone === "good").length;
  const list = cutList(rows, "skill");
  const seen = cutList(findings, "finding");
  return answer({
    title: `${countOf(confirmed, "skill")} confirmed`,
    rows: list.shown,
    notes: [...list.notes, ...seen.notes, ...(confirmed > 0 ? [meaning] : [])],
    findings: seen.shown,
    ...(confirmed < rows.length ? { isError: true } : {}),
  });
}

const meaning =
  "Confirmed: exactly these bytes at this place count as your own, and may stand in the system prompt. A changed skill is unconfirmed again.";

function namedSkills(skills: AgentSkills, rest: string): readonly AgentSkill[] | string {
  if (rest === "") return unconfirmedSkills(skills.set);
  const found = new Map<string, AgentSkill>();
  let at = 0;
  for (let count = 0; at < rest.length; count++) {
    if (count === mostNamed) return `more than ${mostNamed} names in one line: without names all are confirmed`;
    const read = readName(rest, at);
    if (read === undefined) return 'a quoted name ends with a quote: /skills trust "two words"';
    const skill = findSkill(skills, read.name);
    if (typeof skill === "string") return skill;
    found.set(skill.entry, skill);
    at = skipBlanks(rest, read.end);
  }
  return [...found.values()];
}

async function openEach(context: CommandContext, named: readonly AgentSkill[], signal: AbortSignal) {
  const openable: AgentSkill[] = [];
  const findings: Finding[] = [];
  const refusals: ReplyRow[] = [];
  for (const skill of named) {
    signal.throwIfAborted();
    try {
      const opened = await context.skills.open(skill);
      openable.push(skill);
      // Findings of several skills stand in one list: where something was seen begins with whose it is.
      const { path } = skill;
      findings.push(...opened.findings.map((each) => (path === "" ? each : placedIn(`${path}/${each.at.file}`, each))));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const about = `not confirmed: ${safeLine(error.message, 240)}`;
      refusals.push({ name: showInvocation(skill.alias), about, tone: "bad" });
    }
  }
  return { openable, findings, refusals };
}

function grantsOf({ alias, asks, grants }: AgentSkill): string {
  if (grants.length > 0) return `may use without asking: ${someOf(grants, 20)}`;
  if (asks.length === 0) return "asks for nothing";
  return `asks for ${someOf(asks, 20)}, which is not granted; /skills trust ${writeName(alias)} would`;
}

/** As the set has it afterwards, not as it was asked for. */
function trustedRow({ alias }: AgentSkill, now: AgentSkill | undefined): ReplyRow {
  if (now?.standing !== "confirmed")
    return { name: showInvocation(alias), about: "not confirmed: it changed meanwhile", tone: "bad" };
  return { name: showInvocation(now.alias), about: grantsOf(now), tone: "good" };
}

export const rulesCommand: SlashCommand = {
  name: "/rules",
  usage: "[trust]",
  about: "the project's own rules (AGENTS.md); confirms them",
  run(context, rest) {
    if (rest === "") return showRules(context);
    if (rest === "trust") return trustRules(context);
    return Promise.resolve(refuse(`/rules does not know "${safeLine(rest, 80)}"; there is /rules trust`));
  },
};

const sentences = {
  none: "this project has no rules of its own (AGENTS.md)",
  confirmed: "the project's rules are confirmed and stand in the system prompt",
  unconfirmed: "the project's rules are unconfirmed: nobody has said yes to this text. Read it, then /rules trust",
  unusable: "the project's rules cannot be used",
} as const;

async function showRules(context: CommandContext): Promise<CommandResult> {
  const { state, bytes, note } = await context.rules();
  const size = state === "none" ? [] : [countOf(bytes, "byte")];
  return answer({ notes: [sentences[state], ...size, ...noteOf(note)] });
}

async function trustRules(context: CommandContext): Promise<CommandResult> {
  if (!context.isAttended) return refuse(unattended);
  const { state, note } = await context.rules();
  if (state === "confirmed") return answer({ notes: [sentences.confirmed] });
  if (state !== "unconfirmed") return refuse(sentences[state], ...noteOf(note));
  await context.confirmRules();
  return answer({ notes: [sentences.confirmed, "When the file changes, it is unconfirmed again."] });
}

function noteOf(note: string): readonly string[] {
  return note === "" ? [] : [safeLine(note, 320)];
}
