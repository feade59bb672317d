import type { Message, Part } from "../../../base/model.ts";

/** What a model is told of a call that came to no end: whatever it did until then stays done. */
const cancelled = "cancelled before there was a result";

/** Every call gets its answer: services refuse a conversation in which one is missing. */
export function answerEveryCall(messages: readonly Message[]): readonly Message[] {
  const complete: Message[] = [];
  const open = new Map<string, string>();
  const answerOpen = (): void => {
    for (const [id, tool] of open) complete.push({ role: "tool", id, tool, content: cancelled, isError: true });
    open.clear();
  };
  for (const message of messages) {
    if (message.role === "tool") open.delete(message.id);
    else answerOpen();
    if (message.role === "assistant") for (const { id, tool } of message.calls ?? []) open.set(id, tool);
    complete.push(message);
  }
  answerOpen();
  return complete;
}

/**
 * As services take them: some refuse two user messages in a row, which a turn that failed leaves behind, and all an
 * answer that says nothing.
 */
export function mergeForSending(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  let said: Content[] = [];
  const keepSaid = (): void => {
    if (said.length > 0) merged.push({ role: "user", content: joinContents(said) });
    said = [];
  };
  for (const message of messages.filter((each) => !saysNothing(each))) {
    if (message.role === "user") said.push(message.content);
    else {
      keepSaid();
      merged.push(message);
    }
  }
  keepSaid();
  return merged;
}

type Content = string | readonly Part[];

function saysNothing(message: Message): boolean {
  return message.role === "assistant" && message.content.length === 0 && (message.calls ?? []).length === 0;
}

function joinContents(contents: readonly Content[]): Content {
  const texts = contents.filter((content) => typeof content === "string");
  return texts.length === contents.length ? texts.join("\n\n") : contents.flatMap(partsOf);
}

function partsOf(content: Content): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
