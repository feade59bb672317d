import { isRecord } from "../core/json/json.ts";
import type { TurnsProtocol } from "./inject-protocols.ts";

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
