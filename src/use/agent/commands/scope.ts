import { safeLine } from "../../../base/text.ts";
import type { Scope, ScopeGroup } from "../../scope/scope.ts";
import { someOf } from "../../scope/some-of.ts";
import type { ReplyRow } from "../agent-event.ts";
import type { CommandResult, SlashCommand } from "./command.ts";
import { answer, countOf, cutList, refuse } from "./reply.ts";

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
  const rows: readonly ReplyRow[] = [
    ...scope.groups.filter(({ skills }) => skills.length > 0 || scope.skills.length > 0).map(allowedRow),
    ...scope.forbidden.map(forbiddenRow),
    ...scope.protocol.map((step, at): ReplyRow => ({ name: `step ${at + 1}`, about: safeLine(step, 240) })),
  ];
  const { shown, notes } = cutList(rows, "line");
  return answer({
    title:
      scope.skills.length === 0
        ? "no skill is in force"
        : `${countOf(scope.skills.length, "skill")} in force: ${namesOf(scope.skills)}`,
    rows: shown,
    notes: [
      ...notes,
      "A call passes when every group allows it and nothing forbids it. /scope clear lets go; /tools shows what is left.",
    ],
  });
}

function namesOf(skills: Scope["skills"]): string {
  return someOf(
    skills.map(({ id }) => id),
    mostNames,
  );
}

function allowedRow({ skills, allowed }: ScopeGroup): ReplyRow {
  const tools =
    allowed === "*"
      ? "everything"
      : someOf(
          allowed.map(({ text }) => text),
          mostNames,
        );
  return {
    name: skills.length === 0 ? "allowed" : `allowed by ${someOf(skills)}`,
    about: tools === "" ? "nothing" : tools,
    tone: "good",
  };
}

function forbiddenRow({ text, by }: Scope["forbidden"][number]): ReplyRow {
  return { name: `forbidden by ${someOf(by)}`, about: safeLine(text, 240), tone: "bad" };
}
