import type { Message } from "../../../base/model.ts";

/** All that a message says, calls included: what is counted of it. */
export function messageText(message: Message): string {
  const { content } = message;
  const texts = typeof content === "string" ? [content] : content.map(partText);
  const calls = message.role === "assistant" ? (message.calls ?? []) : [];
  return [...texts, ...calls.map(({ tool, input }) => `${tool} ${input}`)].join("\n");
}

function partText(part: Exclude<Message["content"], string>[number]): string {
  return part.type === "text" ? part.text : part.url;
}
