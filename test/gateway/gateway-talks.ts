import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { anthropicAt, openaiAt } from "../support/gateway-clients.ts";
import type { GatewayHome } from "../support/gateway-home.ts";

/** Says one more thing in a conversation that goes on from all that was said before. */
export type Talk = (said: string) => Promise<unknown>;

export function chatOf(home: GatewayHome): Talk {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: "Be brief." }];
  return async (content) => {
    messages.push({ role: "user", content });
    const { choices } = await openaiAt(home).chat.completions.create({ model: "house", messages });
    messages.push({ role: "assistant", content: choices[0]?.message.content ?? "" });
  };
}

export function messagesOf(home: GatewayHome): Talk {
  const messages: Anthropic.MessageParam[] = [];
  return async (text) => {
    messages.push({ role: "user", content: [{ type: "text", text }] });
    const asked = { model: "claude", max_tokens: 9, system: "Be brief.", messages };
    const { content } = await anthropicAt(home).messages.stream(asked).finalMessage();
    messages.push({ role: "assistant", content });
  };
}

export function responsesOf(home: GatewayHome): Talk {
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  return async (content) => {
    input.push({ role: "user", content });
    const { output } = await openaiAt(home).responses.create({ model: "house", store: false, input });
    input.push(...output.filter((item) => item.type === "message"));
  };
}
