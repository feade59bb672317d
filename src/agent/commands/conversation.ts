import { safeLine } from "../../core/text.ts";
import { answer, countOf, cutList, type PromptPart, type SlashCommand } from "./command.ts";

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

export const compactCommand: SlashCommand = {
  name: "/compact",
  usage: "",
  about: "replaces older messages by a summary",
  async run(context, _rest, signal) {
    const isDone = await context.compact(signal);
    const note = isDone ? "what came before the latest turn is a summary now" : "there is nothing to summarise yet";
    return answer({ notes: [note] });
  },
};

export const contextCommand: SlashCommand = {
  name: "/context",
  usage: "",
  about: "what the model is given next, with bytes and tokens",
  async run(context) {
    const parts = await context.context();
    const { shown, notes } = cutList(parts, "part");
    return answer({
      title: `the next prompt: ${sizeOf({ bytes: sum(parts, "bytes"), tokens: sum(parts, "tokens") })}`,
      rows: shown.map((part) => ({
        name: safeLine(part.name === "" ? part.what : `${part.what} ${part.name}`, 160),
        about: `${part.role} · ${sizeOf(part)}`,
      })),
      notes,
    });
  },
};

function sizeOf({ bytes, tokens }: Pick<PromptPart, "bytes" | "tokens">): string {
  return `${countOf(bytes, "byte")}, ${countOf(tokens, "token")}`;
}

function sum(parts: readonly PromptPart[], field: "bytes" | "tokens"): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

export const exitCommand: SlashCommand = {
  name: "/exit",
  usage: "",
  about: "leaves",
  run: () => Promise.resolve({ is: "leave" }),
};

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
