import type { SlashCommand } from "./command.ts";
import { answer } from "./reply.ts";

/** `commands` is asked when somebody asks for help: it is one of them itself. */
export function createHelp(commands: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: "/help",
    usage: "",
    about: "what can be typed here",
    async run() {
      const rows = commands().map(({ name, usage, about }) => ({ name: `${name} ${usage}`.trimEnd(), about }));
      return answer({
        title: "commands",
        rows: [...rows, { name: "/skills:<name> [text]", about: "applies a skill; several: /skills:a /skills:b text" }],
        notes: ["Anything else is said to the model. Tab completes what begins with a slash."],
      });
    },
  };
}
