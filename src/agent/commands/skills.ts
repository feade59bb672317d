import { nearest } from "../../core/nearest.ts";
import { safeLine } from "../../core/text.ts";
import { someOf } from "../../scope/lists.ts";
import type { ReplyRow } from "../agent-event.ts";
import { type AgentSkill, type SkillChange, unconfirmedSkills } from "../skills/agent-skill.ts";
import {
  answer,
  type CommandContext,
  type CommandResult,
  countOf,
  cutList,
  refuse,
  showInvocation,
  type SlashCommand,
} from "./command.ts";
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
  run(context, rest, signal) {
    const [word = ""] = rest.split(/\s/, 1);
    if (word === "") return Promise.resolve(listSkills(context));
    if (word === "trust") return trustSkills(context, rest.slice(word.length).trim(), signal);
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
    // What of single skills is no fault of theirs, and worth knowing: that git ignores one, for example.
    findings: [
      ...findings.shown,
      ...list.shown.flatMap((skill) => skill.findings.filter(({ code }) => code.startsWith("agent."))),
    ],
  });
}

const noSkills = "no skills here: skillward new <name>, or skillward add owner/repo";
const unconfirmedNote =
  "Unconfirmed: nobody has said yes to these bytes at this place. Invoking one confirms it; /skills trust confirms all, and with a name also what that one asks for.";

function rowOf(skill: AgentSkill): ReplyRow {
  const hint = skill.argumentHint === null ? "" : ` ${safeLine(skill.argumentHint, 60)}`;
  const name = `${showInvocation(skill.alias)}${hint}`;
  const [mark, tone] = markOf(skill);
  const about = [mark, safeLine(skill.description, 240)].filter((part) => part !== "").join(" · ");
  return { name, about, ...tone };
}

/** The one thing to know first. */
function markOf({ unusable, standing, byPerson }: AgentSkill): [mark: string, tone?: Pick<ReplyRow, "tone">] {
  if (unusable !== null) return [`unusable: ${safeLine(unusable, 240)}`, { tone: "bad" }];
  if (standing === "unconfirmed") return ["unconfirmed", { tone: "warn" }];
  if (standing === "session") return ["written in this session", { tone: "warn" }];
  return byPerson ? [""] : ["for the model alone", { tone: "dim" }];
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
  const notes = Object.entries({ added, changed, removed }).flatMap(([what, aliases]) =>
    aliases.length > 0 ? [`${what}: ${someOf(aliases, 20)}`] : [],
  );
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

export const routeCommand: SlashCommand = {
  name: "/route",
  usage: "<query>",
  about: "which skills fit a task",
  async run(context, rest, signal) {
    if (rest === "") return refuse("which task? /route <query>");
    const { matches, abstained, ambiguous } = await context.route(rest, signal);
    // Only what was chosen counts: the nearest of those that do not fit were not.
    if (!abstained) for (const { skill } of matches) context.used("routed", skill);
    const { shown, notes } = cutList(matches, "skill");
    return answer({
      rows: shown.map(({ skill, confidence, why }): ReplyRow => {
        const name = showInvocation(skill.alias);
        const about = `${confidence.toFixed(2)} · ${safeLine(why, 240)}`;
        return abstained ? { name, about, tone: "dim" } : { name, about };
      }),
      notes: [
        ...notes,
        ...(matches.length === 0 ? ["no skill fits"] : []),
        ...(abstained && matches.length > 0 ? ["no skill fits well enough; these are the nearest"] : []),
        ...(ambiguous ? ["several fit about as well: say more, or call one by its name"] : []),
      ],
    });
  },
};
