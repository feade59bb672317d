import { safeLine } from "../../core/text.ts";
import type { Scope } from "../../scope/scope.ts";
import { someOf } from "../../scope/lists.ts";
import type { ReplyRow } from "../agent-event.ts";
import {
  answer,
  type CommandResult,
  countOf,
  cutList,
  refuse,
  type SlashCommand,
  type ToolStandingView,
} from "./command.ts";

const mostNames = 20;

export const scopeCommand: SlashCommand = {
  name: "/scope",
  usage: "[clear]",
  about: "what the skills in force allow and forbid; lets go of them",
  async run(context, rest) {
    if (rest === "") return showScope(context.scope);
    if (rest !== "clear") return refuse(`/scope does not know "${safeLine(rest, 80)}"; there is /scope clear`);
    if (context.scope === null) return answer({ notes: [noScope] });
    await context.release();
    const left = context.scope?.skills ?? [];
    const note =
      left.length === 0 ? "no skill is in force any more" : `what holds from the beginning stays: ${namesOf(left)}`;
    return answer({ notes: [note] });
  },
};

const noScope = "no scope is in force: a skill with a scope brings one when it is used";

function showScope(scope: Scope | null): CommandResult {
  if (scope === null) return answer({ notes: [noScope] });
  const { skills, groups, forbidden, protocol } = scope;
  const rows: readonly ReplyRow[] = [
    ...groups.filter((group) => group.skills.length > 0 || skills.length > 0).map(allowedRow),
    ...forbidden.map(({ text, by }): ReplyRow => {
      return { name: `forbidden by ${someOf(by)}`, about: safeLine(text, 240), tone: "bad" };
    }),
    ...protocol.map((step, at): ReplyRow => ({ name: `step ${at + 1}`, about: safeLine(step, 240) })),
  ];
  const { shown, notes } = cutList(rows, "line");
  return answer({
    title:
      skills.length === 0 ? "no skill is in force" : `${countOf(skills.length, "skill")} in force: ${namesOf(skills)}`,
    rows: shown,
    notes: [
      ...notes,
      "A call passes when every group allows it and nothing forbids it. /scope clear lets go; /tools shows what is left.",
    ],
  });
}

function namesOf(skills: Scope["skills"]): string {
  const ids = skills.map(({ id }) => id);
  return someOf(ids, mostNames);
}

function allowedRow({ skills, allowed }: Scope["groups"][number]): ReplyRow {
  const patterns = allowed === "*" ? [] : allowed.map(({ text }) => text);
  const tools = allowed === "*" ? "everything" : someOf(patterns, mostNames);
  const name = skills.length === 0 ? "allowed" : `allowed by ${someOf(skills)}`;
  return { name, about: tools === "" ? "nothing" : tools, tone: "good" };
}

export const toolsCommand: SlashCommand = {
  name: "/tools",
  usage: "",
  about: "the tools, and what may be done with each now",
  async run(context) {
    const { shown, notes } = cutList(context.tools(), "tool");
    const rows = shown.map(({ name, about, verdict, why }) => {
      const said = [verdict, why, about].map((part) => safeLine(part, 160)).filter((part) => part !== "");
      return { name: safeLine(name, 80), about: said.join(" · "), tone: tones[verdict] };
    });
    return answer({ rows, notes: rows.length === 0 ? ["there are no tools"] : notes });
  },
};

const tones = { allowed: "good", asks: "warn", limited: "warn", denied: "bad" } as const satisfies Record<
  ToolStandingView["verdict"],
  ReplyRow["tone"]
>;
