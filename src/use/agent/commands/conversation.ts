import type { SlashCommand } from "./command.ts";
import { answer } from "./reply.ts";

const fresh: Omit<SlashCommand, "name"> = {
  usage: "",
  about: "a conversation from the beginning; skills are read again",
  async run(context) {
    await context.fresh();
    // The event of it says so.
    return answer({});
  },
};

export const newCommand: SlashCommand = { name: "/new", ...fresh };

/** The same by the name that others give it. */
export const clearCommand: SlashCommand = { name: "/clear", ...fresh };
