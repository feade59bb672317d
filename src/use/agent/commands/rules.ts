import { safeLine } from "../../../base/text.ts";
import type { CommandContext, CommandResult, SlashCommand } from "./command.ts";
import { answer, countOf, refuse } from "./reply.ts";

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
  if (!context.isAttended)
    return refuse("nobody sits here to confirm anything: begin with --trust-workspace where you vouch for the folder");
  const { state, note } = await context.rules();
  if (state === "confirmed") return answer({ notes: [sentences.confirmed] });
  if (state !== "unconfirmed") return refuse(sentences[state], ...noteOf(note));
  await context.confirmRules();
  return answer({ notes: [sentences.confirmed, "When the file changes, it is unconfirmed again."] });
}

function noteOf(note: string): readonly string[] {
  return note === "" ? [] : [safeLine(note, 320)];
}
