import { safeLine } from "../../../base/text.ts";
import type { ReplyRow } from "../agent-event.ts";
import type { SlashCommand, ToolStandingView } from "./command.ts";
import { answer, cutList } from "./reply.ts";

export const toolsCommand: SlashCommand = {
  name: "/tools",
  usage: "",
  about: "the tools, and what may be done with each now",
  async run(context) {
    const { shown, notes } = cutList(context.tools(), "tool");
    return answer({ rows: shown.map(rowOf), notes: shown.length === 0 ? ["there are no tools"] : notes });
  },
};

const tones = { allowed: "good", asks: "warn", limited: "warn", denied: "bad" } as const satisfies Record<
  ToolStandingView["verdict"],
  ReplyRow["tone"]
>;

function rowOf({ name, about, verdict, why }: ToolStandingView): ReplyRow {
  const said = [verdict, why, about].map((part) => safeLine(part, 160)).filter((part) => part !== "");
  return { name: safeLine(name, 80), about: said.join(" · "), tone: tones[verdict] };
}
