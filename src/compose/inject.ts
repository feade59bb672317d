import type { Finding } from "../core/finding.ts";
import { isRecord } from "../core/json/json.ts";
import { noLastPlace, noPlace, noPromptPlace, noSystem, noSystemPlace, noUser } from "./findings.ts";
import {
  behind,
  inFront,
  isList,
  isSystemRole,
  isUserTurn,
  joinBlocks,
  lastSpeaking,
  protocols,
  read,
  refuseManyPrompts,
  textsOf,
  type TurnsProtocol,
} from "./inject-protocols.ts";

/** What goes into a request. A `Composition` is one. */
export interface Insertion {
  /** For the first user message; empty when there is nothing. */
  readonly block: string;
  /** For the system prompt, behind what is configured; empty when there is nothing. */
  readonly systemBlock: string;
  /**
   * For the last user message that says something, behind the first block where both are in one message (CO-13); empty
   * or left out when there is nothing.
   */
  readonly lastBlock?: string;
}

export type RequestShape = "openai-chat" | "openai-responses" | "openai-completions" | "anthropic-messages";

/** The block, a blank line, the prompt (CO-8). Its only message is the first and the last. */
export function injectPrompt(prompt: string, { block, lastBlock = "" }: Insertion): string {
  return inFrontOf(prompt, [block, lastBlock]);
}

/**
 * A request with the blocks in it: in the first user message and nowhere else, the system prompt in front of what was
 * meant for it (CO-8). The argument stays as it is; what does not change is the same object in the result.
 */
export function injectRequest<R extends object>(
  shape: RequestShape,
  request: R,
  insertion: Insertion,
): { request: R; findings: readonly Finding[] } {
  if (joinBlocks(insertion) === "") return { request, findings: [] };
  if (shape === "openai-completions") return injectCompletion(request, insertion);

  const protocol = protocols[shape];
  const { turns, findings } = injectTurns(protocol, read(request, protocol.turns), insertion);
  if (turns === undefined) return { request, findings };
  const injected = withMember(request, protocol.turns, turns);
  if (protocol.system === null || insertion.systemBlock === "") return { request: injected, findings };
  const system = appendSystem(protocol.system, read(request, protocol.system), insertion.systemBlock);
  if (system === undefined) return { request: injected, findings: [...findings, noSystemPlace] };
  return { request: withMember(injected, protocol.system, system), findings };
}

/**
 * A chat with the blocks in it (CO-8, CO-17). With a system block there is one more message in the result, of the role
 * `system`: a list of messages that cannot hold one must not be given one.
 */
export function injectMessages<M extends { role: string; content: unknown }>(
  messages: readonly M[],
  insertion: Insertion,
): { messages: readonly M[]; findings: readonly Finding[] };
export function injectMessages(
  messages: readonly { role: string; content: unknown }[],
  insertion: Insertion,
): { messages: readonly unknown[]; findings: readonly Finding[] } {
  const { request, findings } = injectRequest("openai-chat", { messages }, insertion);
  return { messages: request.messages, findings };
}

/** Every prompt of a completion gets the blocks: each is one of its own. */
function injectCompletion<R extends object>(
  request: R,
  insertion: Insertion,
): { request: R; findings: readonly Finding[] } {
  const prompt = read(request, "prompt");
  if (prompt === undefined || prompt === null || (isList(prompt) && prompt.length === 0))
    return { request, findings: [noUser] };
  const front = inFront(joinBlocks(insertion));
  const injected = typeof prompt === "string" ? front + prompt : prefixEach(prompt, front);
  if (injected === undefined) return { request, findings: [noPromptPlace] };
  const findings = insertion.systemBlock === "" ? [] : [noSystem];
  return { request: withMember(request, "prompt", injected), findings };
}

function prefixEach(prompts: unknown, front: string): readonly string[] | undefined {
  if (!isList(prompts) || !prompts.every((prompt) => typeof prompt === "string")) return undefined;
  refuseManyPrompts(prompts.length);
  return prompts.map((prompt) => front + prompt);
}

interface Injected {
  /** Undefined: nothing may go into this request. */
  readonly turns: unknown;
  readonly findings: readonly Finding[];
}

function injectTurns(protocol: TurnsProtocol, turns: unknown, insertion: Insertion): Injected {
  if (protocol.isStringTurn && typeof turns === "string")
    return { turns: injectPrompt(turns, insertion), findings: [] };
  const list = isList(turns) ? turns : [];
  const first = list.findIndex((turn) => isUserTurn(protocol, turn));
  if (first < 0) return { turns: undefined, findings: [noUser] };

  const { block, systemBlock, lastBlock = "" } = insertion;
  const last = lastBlock === "" ? -1 : lastSpeaking(protocol, list);
  const changed = [...new Set([first, last])].reduce((all, at) => {
    const blocks = [at === first ? block : "", at === last ? lastBlock : ""];
    return prefixTurn(protocol, all, at, blocks);
  }, list);
  const findings = [
    ...(block !== "" && changed[first] === list[first] ? [noPlace] : []),
    ...(lastBlock !== "" && last < 0 ? [noLastPlace] : []),
  ];
  return { turns: protocol.system === null ? withSystemTurn(changed, systemBlock) : changed, findings };
}

/** The same list when there is nothing to put in, or no place for it. */
function prefixTurn(
  protocol: TurnsProtocol,
  turns: readonly unknown[],
  at: number,
  blocks: readonly string[],
): readonly unknown[] {
  const turn = turns[at];
  if (!isRecord(turn)) return turns;
  const content = prefixContent(protocol, read(turn, "content"), present(blocks));
  return content === undefined ? turns : turns.with(at, withMember(turn, "content", content));
}

/** Undefined when there is nothing to put in, or no place for it. */
function prefixContent(protocol: TurnsProtocol, content: unknown, blocks: readonly string[]): unknown {
  if (blocks.length === 0) return undefined;
  if (typeof content === "string") return inFrontOf(content, blocks);
  if (!isList(content)) return undefined;
  // Anthropic wants the results of tools in front of everything else.
  const first = content.findIndex(
    (part) => !(protocol.leadingType !== null && isRecord(part) && read(part, "type") === protocol.leadingType),
  );
  const parts = blocks.map((text) => ({ type: protocol.textType, text }));
  return content.toSpliced(first < 0 ? content.length : first, 0, ...parts);
}

function inFrontOf(text: string, blocks: readonly string[]): string {
  return present(blocks).map(inFront).join("") + text;
}

function present(blocks: readonly string[]): readonly string[] {
  return blocks.filter((block) => block !== "");
}

/** A message of its own behind those that the system prompt consists of. */
function withSystemTurn(turns: readonly unknown[], block: string): readonly unknown[] {
  if (block === "") return turns;
  const first = turns.findIndex((turn) => !isRecord(turn) || !isSystemRole(read(turn, "role")));
  return turns.toSpliced(first, 0, { role: "system", content: block });
}

/** The system prompt with the block behind it; undefined when it is neither a text nor a list. */
function appendSystem(member: "system" | "instructions", system: unknown, block: string): unknown {
  if (system === undefined || system === null) return block;
  if (typeof system === "string") return system + behind(system === "", block);
  // Only Anthropic's may be a list.
  return member === "system" && isList(system) ? [...system, { type: "text", text: block }] : undefined;
}

/** A spread, never an assignment: `__proto__` is a member like any other. */
function withMember<R extends object>(request: R, key: string, value: unknown): R {
  return read(request, key) === value ? request : { ...request, [key]: value };
}

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
