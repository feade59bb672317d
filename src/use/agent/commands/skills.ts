import type { Finding } from "../../../base/finding.ts";
import { nearest } from "../../../base/nearest.ts";
import { safeLine } from "../../../base/text.ts";
import { someOf } from "../../scope/some-of.ts";
import type { ReplyRow } from "../agent-event.ts";
import type { AgentSkill, SkillChange } from "../skills/agent-skill.ts";
import { unconfirmedSkills } from "../skills/visible-skills.ts";
import type { CommandContext, CommandResult, SlashCommand } from "./command.ts";
import { showInvocation } from "./find-skill.ts";
import { answer, countOf, cutList, refuse } from "./reply.ts";
import { trustSkills } from "./skills-trust.ts";

/** What can stand after `/skills` and a blank. A skill of such a name is `/skills:reload`, with the colon. */
export const skillsWords = [
  { word: "reload", about: "reads all skills again" },
  { word: "trust", about: "confirms skills and what they ask for" },
] as const;

export const skillsCommand: SlashCommand = {
  name: "/skills",
  usage: "[reload | trust [name…]]",
  about: "lists the skills; reads them again; confirms them",
  run(context, rest) {
    const [word = ""] = rest.split(/\s/, 1);
    if (word === "") return Promise.resolve(listSkills(context));
    if (word === "trust") return trustSkills(context, rest.slice(word.length).trim());
    if (rest === "reload") return reloadSkills(context);
    if (word === "reload") return Promise.resolve(refuse("/skills reload takes nothing after it: all skills are read"));
    return Promise.resolve(refuseWord(context, word));
  },
};

function listSkills({ skills }: CommandContext): CommandResult {
  const { set } = skills;
  const findings = cutList(set.findings, "finding");
  if (set.skills.length === 0) return answer({ notes: [noSkills, ...findings.notes], findings: findings.shown });
  const unconfirmed = unconfirmedSkills(set).length;
  const list = cutList(set.skills, "skill");
  return answer({
    title: `${countOf(set.skills.length, "skill")}, ${unconfirmed} unconfirmed, generation ${set.generation}`,
    rows: list.shown.map(rowOf),
    notes: [...list.notes, ...findings.notes, ...(unconfirmed > 0 ? [unconfirmedNote] : [])],
    findings: [...findings.shown, ...notesOn(list.shown)],
  });
}

/** What of single skills is no fault of theirs, and worth knowing: that git ignores one, for example. */
function notesOn(shown: readonly AgentSkill[]): readonly Finding[] {
  return shown.flatMap(({ findings }) => findings.filter(({ code }) => code.startsWith("agent.")));
}

const noSkills = "no skills here: skillward new <name>, or skillward add owner/repo";
const unconfirmedNote =
  "Unconfirmed: nobody has said yes to these bytes at this place. Invoking one confirms it; /skills trust confirms all, and with a name also what that one asks for.";

function rowOf(skill: AgentSkill): ReplyRow {
  const hint = skill.argumentHint === null ? "" : ` ${safeLine(skill.argumentHint, 60)}`;
  const name = `${showInvocation(skill.alias)}${hint}`;
  const { mark, tone } = markOf(skill);
  const about = [mark, safeLine(skill.description, 240)].filter((part) => part !== "").join(" · ");
  return { name, about, ...(tone === undefined ? {} : { tone }) };
}

/** The one thing to know first. */
function markOf({ unusable, standing, byPerson }: AgentSkill): {
  readonly mark: string;
  readonly tone?: NonNullable<ReplyRow["tone"]>;
} {
  if (unusable !== null) return { mark: `unusable: ${safeLine(unusable, 240)}`, tone: "bad" };
  if (standing === "unconfirmed") return { mark: "unconfirmed", tone: "warn" };
  if (standing === "session") return { mark: "written in this session", tone: "warn" };
  return byPerson ? { mark: "" } : { mark: "for the model alone", tone: "dim" };
}

async function reloadSkills(context: CommandContext): Promise<CommandResult> {
  const change = await context.reload();
  const count = countOf(context.skills.set.skills.length, "skill");
  const { shown, notes } = cutList(change.findings, "finding");
  return answer({
    title: `${count}, generation ${change.generation}`,
    notes: [...changeNotes(change), ...notes],
    findings: shown,
  });
}

function changeNotes({ added, changed, removed }: SkillChange): readonly string[] {
  const notes = [
    ...(added.length > 0 ? [`added: ${someOf(added, 20)}`] : []),
    ...(changed.length > 0 ? [`changed: ${someOf(changed, 20)}`] : []),
    ...(removed.length > 0 ? [`removed: ${someOf(removed, 20)}`] : []),
  ];
  return notes.length > 0 ? notes : ["nothing changed"];
}

function refuseWord({ skills }: CommandContext, word: string): CommandResult {
  const found = skills.find(word);
  const near = nearest(
    word,
    skillsWords.map((each) => each.word),
  );
  if (found.is === "one") return refuse(`a skill is invoked with a colon: ${showInvocation(found.skill.alias)}`);
  const hint = near === undefined ? "there are /skills reload and /skills trust" : `did you mean /skills ${near}?`;
  return refuse(`/skills does not know "${safeLine(word, 80)}"; ${hint}`);
}
