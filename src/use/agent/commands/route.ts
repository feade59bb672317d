import { safeLine } from "../../../base/text.ts";
import type { ReplyRow } from "../agent-event.ts";
import type { RoutedSkill, SlashCommand } from "./command.ts";
import { showInvocation } from "./find-skill.ts";
import { answer, cutList, refuse } from "./reply.ts";

export const routeCommand: SlashCommand = {
  name: "/route",
  usage: "<query>",
  about: "which skills fit a task",
  async run(context, rest) {
    if (rest === "") return refuse("which task? /route <query>");
    const { matches, abstained, ambiguous } = await context.route(rest);
    // Only what was chosen counts: the nearest of those that do not fit were not.
    if (!abstained) for (const { skill } of matches) context.used("routed", skill);
    const { shown, notes } = cutList(matches, "skill");
    return answer({
      rows: shown.map((match) => rowOf(match, abstained)),
      notes: [
        ...notes,
        ...(matches.length === 0 ? ["no skill fits"] : []),
        ...(abstained && matches.length > 0 ? ["no skill fits well enough; these are the nearest"] : []),
        ...(ambiguous ? ["several fit about as well: say more, or call one by its name"] : []),
      ],
    });
  },
};

function rowOf({ skill, confidence, why }: RoutedSkill, abstained: boolean): ReplyRow {
  const about = `${confidence.toFixed(2)} · ${safeLine(why, 240)}`;
  const name = showInvocation(skill.alias);
  return abstained ? { name, about, tone: "dim" } : { name, about };
}
