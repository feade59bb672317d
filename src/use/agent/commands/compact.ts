import type { SlashCommand } from "./command.ts";
import { answer } from "./reply.ts";

export const compactCommand: SlashCommand = {
  name: "/compact",
  usage: "",
  about: "replaces older messages by a summary",
  async run(context) {
    const isDone = await context.compact();
    const note = isDone ? "what came before the latest turn is a summary now" : "there is nothing to summarise yet";
    return answer({ notes: [note] });
  },
};
