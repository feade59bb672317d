import { AppError } from "../core/error.ts";
import { isRecord } from "../core/json/json.ts";

/** What of a protocol decides where a text goes: read by the values' side and by the bytes' side alike (CO-8). */
export interface TurnsProtocol {
  /** The member that holds the turns. */
  readonly turns: "messages" | "input";
  /** That member may be one string, which then is the user's turn. */
  readonly isStringTurn: boolean;
  /** A turn is marked `type: "message"`, or not at all; other things stand in the list beside turns. */
  readonly hasTypes: boolean;
  /** What a part of text calls itself. */
  readonly textType: "text" | "input_text";
  /** Parts that have to stay in front. */
  readonly leadingType: "tool_result" | null;
  /** Where the system prompt is: a member of the request, or turns in front of the others. */
  readonly system: "system" | "instructions" | null;
}

export type TurnsShape = "openai-chat" | "openai-responses" | "anthropic-messages";

export const protocols: Readonly<Record<TurnsShape, TurnsProtocol>> = {
  "openai-chat": {
    turns: "messages",
    isStringTurn: false,
    hasTypes: false,
    textType: "text",
    leadingType: null,
    system: null,
  },
  "openai-responses": {
    turns: "input",
    isStringTurn: true,
    hasTypes: true,
    textType: "input_text",
    leadingType: null,
    system: "instructions",
  },
  "anthropic-messages": {
    turns: "messages",
    isStringTurn: false,
    hasTypes: false,
    textType: "text",
    leadingType: "tool_result",
    system: "system",
  },
};

export function isSystemRole(role: unknown): boolean {
  return role === "system" || role === "developer";
}

/** Text before other text: a blank line between them (CO-8). */
export function inFront(block: string): string {
  return `${block}\n\n`;
}

/** Text after other text, which may be empty. */
export function behind(isEmpty: boolean, block: string): string {
  return isEmpty ? block : `\n\n${block}`;
}

/** A completion has no roles: what was meant for the system prompt comes first in the prompt. */
export function joinBlocks(insertion: {
  readonly block: string;
  readonly systemBlock: string;
  readonly lastBlock?: string;
}): string {
  const { block, systemBlock, lastBlock = "" } = insertion;
  return [systemBlock, block, lastBlock].filter((text) => text !== "").join("\n\n");
}

const mostPrompts = 128;

/** Each prompt of a completion gets the blocks: a small request must not become a huge one (T41). */
export function refuseManyPrompts(count: number): void {
  if (count <= mostPrompts) return;
  throw new AppError("request.too-large", `prompt: ${count} prompts; at most ${mostPrompts} go with skills`);
}

/** A request's values as they are: nothing of them is believed to have a shape. */
export function read(value: object, key: string): unknown {
  return Reflect.get(value, key);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isUserTurn(protocol: TurnsProtocol, turn: unknown): turn is object {
  if (!isRecord(turn) || read(turn, "role") !== "user") return false;
  const type = protocol.hasTypes ? read(turn, "type") : undefined;
  return type === undefined || type === "message";
}

/** Parts of one message that are looked into for its words: a body can hold millions (T41). */
export const mostParts = 10_000;

/** What a turn says in words. Images, and what a tool answered, are not the user's words. */
export function textsOf(protocol: TurnsProtocol, turn: object): readonly string[] {
  const content = read(turn, "content");
  if (typeof content === "string") return [content];
  return isList(content) ? content.slice(0, mostParts).flatMap((part) => textOfPart(protocol, part)) : [];
}

function textOfPart({ textType }: TurnsProtocol, part: unknown): readonly string[] {
  if (!isRecord(part) || read(part, "type") !== textType) return [];
  const text = read(part, "text");
  return typeof text === "string" ? [text] : [];
}

/** Where the last block goes: a turn that only hands back what tools answered has no request of its own. */
export function lastSpeaking(protocol: TurnsProtocol, turns: readonly unknown[]): number {
  return turns.findLastIndex(
    (turn) => isUserTurn(protocol, turn) && textsOf(protocol, turn).some((text) => text !== ""),
  );
}
