import type { SlashCommand } from "./command.ts";

export const exitCommand: SlashCommand = {
  name: "/exit",
  usage: "",
  about: "leaves",
  run: () => Promise.resolve({ is: "leave" }),
};
