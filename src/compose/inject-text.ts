import type { RequestShape } from "./inject.ts";
import { protocols, type TurnsProtocol } from "./inject-protocols.ts";
import { isList, isUserTurn, lastSpeaking, read, textsOf } from "./inject-values.ts";

/** A user message of a request: the first, or the last that says something. */
export type Which = "first" | "last";

/** So many characters are read of either end of a long message: a request stands before what was pasted, or behind it. */
export const longestEnd = 32 * 1024;

/** What a user message says, to choose skills by (CO-13). Empty when it says nothing. */
export function userText(shape: RequestShape, request: object, which: Which): string {
  if (shape === "openai-completions") return promptText(read(request, "prompt"));
  const protocol = protocols[shape];
  const turns = read(request, protocol.turns);
  if (protocol.isStringTurn && typeof turns === "string") return joinTexts([turns]);
  return isList(turns) ? joinTexts(textsOfUser(protocol, turns, which)) : "";
}

/** Several texts of one message as one. No half of a character is left where it is cut. */
export function joinTexts(texts: readonly string[]): string {
  const text = texts.join("\n");
  const isLong = text.length > longestEnd * 2;
  return (isLong ? `${text.slice(0, longestEnd)}\n${text.slice(-longestEnd)}` : text).toWellFormed();
}

/** Of several prompts the first: they get the same skills. */
function promptText(prompt: unknown): string {
  const prompts = isList(prompt) ? prompt : [prompt];
  const texts = prompts.filter((each) => typeof each === "string");
  return texts.length === prompts.length ? joinTexts(texts.slice(0, 1)) : "";
}

function textsOfUser(protocol: TurnsProtocol, turns: readonly unknown[], which: Which): readonly string[] {
  const isUser = (turn: unknown) => isUserTurn(protocol, turn);
  const user = turns[which === "first" ? turns.findIndex(isUser) : lastSpeaking(protocol, turns)];
  return isUserTurn(protocol, user) ? textsOf(protocol, user) : [];
}
