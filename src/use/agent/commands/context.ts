import { safeLine } from "../../../base/text.ts";
import type { PromptPart, SlashCommand } from "./command.ts";
import { answer, countOf, cutList } from "./reply.ts";

export const contextCommand: SlashCommand = {
  name: "/context",
  usage: "",
  about: "what the model is given next, with bytes and tokens",
  async run(context) {
    const parts = await context.context();
    const { shown, notes } = cutList(parts, "part");
    return answer({
      title: `the next prompt: ${sizeOf({ bytes: sum(parts, "bytes"), tokens: sum(parts, "tokens") })}`,
      rows: shown.map((part) => ({ name: nameOf(part), about: `${part.role} · ${sizeOf(part)}` })),
      notes,
    });
  },
};

function nameOf({ what, name }: PromptPart): string {
  return safeLine(name === "" ? what : `${what} ${name}`, 160);
}

function sizeOf({ bytes, tokens }: Pick<PromptPart, "bytes" | "tokens">): string {
  return `${countOf(bytes, "byte")}, ${countOf(tokens, "token")}`;
}

function sum(parts: readonly PromptPart[], field: "bytes" | "tokens"): number {
  return parts.reduce((total, part) => total + part[field], 0);
}
