import { tell } from "../../core/async.ts";
import type { Plain } from "../../core/canonical.ts";
import { AppError } from "../../core/error.ts";
import { isRecord, parseJson } from "../../core/json/json.ts";
import { longestCallInput } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import { decide, type HostPolicy } from "../../scope/gate.ts";
import type { CapabilityRegistry } from "../../scope/registry.ts";
import type { ToolCall } from "../../scope/tools/tools.ts";
import { messageOf } from "../agent-faults.ts";
import { cutText } from "../fence.ts";
import type { Tool, ToolContext, ToolInput } from "../tool.ts";
import { type Caller, type Denial, recordDenial } from "./caller.ts";

/** A call as the model named it. */
interface NamedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What the model is told of a call. */
export interface CallAnswer {
  readonly content: string;
  readonly isError: boolean;
}

type Judged =
  | { readonly is: "denied"; readonly denial: Denial }
  | { readonly is: "unreadable"; readonly why: string }
  | {
      readonly is: "allow" | "ask";
      readonly tool: Tool;
      readonly input: ToolInput;
      readonly argv: ToolContext["argv"];
      readonly why: string;
      readonly everyTime: boolean;
    };

/**
 * One call, through the gate, at the moment it is made (SC-7, T33). An excess one is not even looked at, and recorded as
 * every other. Throws only when the time of the caller is over.
 */
export async function answerCall(caller: Caller, call: NamedCall, isExcess: boolean): Promise<CallAnswer> {
  if (isExcess)
    return denied(caller, call, notAllowed(`more than ${caller.limits.calls} calls were wanted in one turn`));
  const judged = judge(caller, call);
  if (judged.is === "denied") return denied(caller, call, judged.denial);
  if (judged.is === "unreadable") {
    // The gate let it through, and there is nothing to run it with: told as a call that began and failed.
    const { host, id } = caller;
    tell(host.onEvent, { type: "tool.started", id, tool: call.tool });
    tell(host.onEvent, { type: "tool.ended", id, tool: call.tool, isError: true });
    return failed(`${safeLine(call.tool)} was not run: ${judged.why}.`);
  }
  if (judged.is === "ask" && !(await isApproved(caller, call.tool, judged)))
    return denied(caller, call, notAllowed(`it needs a person's word, and has none: ${judged.why}`));
  return run(caller, call.tool, judged);
}

function judge({ callable, scope, grants }: Caller, { tool: name, input: text }: NamedCall): Judged {
  const tool = callable.get(name);
  const input = readInput(text);
  const subject = subjectOf(tool, input);
  const decision = decide(policyOf(callable), scope, grants, { tool: name, ...subject });
  if (decision.verdict === "deny") return { is: "denied", denial: decision };
  if (tool === undefined) return { is: "denied", denial: notAllowed("there is no such tool") };
  if (subject === undefined) return { is: "denied", denial: notAllowed("its input does not say what it would do") };
  // After the gate: what may not be called is denied, whatever it was given.
  if (typeof input === "string") return { is: "unreadable", why: input };
  const stranger = strangerIn(tool, input);
  if (stranger !== undefined) return { is: "unreadable", why: `it has no such field: "${safeLine(stranger, 64)}"` };
  const { verdict: is, argv, why, everyTime = false } = decision;
  return { is, tool, input, argv, why, everyTime };
}

/** The host's own word comes first, and only the tools that the caller was given exist (SC-7). */
function policyOf(tools: ReadonlyMap<string, Tool>): HostPolicy {
  return {
    catalogue: new Set(tools.keys()),
    word: (call, scope) => {
      const tool = tools.get(call.tool);
      return tool?.policy === undefined ? "allow" : tool.policy(call, scope);
    },
  };
}

/** A field that the tool says it does not take: nobody is asked about what is not looked at. */
function strangerIn({ inputSchema }: Tool, input: ToolInput): string | undefined {
  const { additionalProperties, properties } = inputSchema;
  if (additionalProperties !== false || !isRecord(properties)) return undefined;
  return Object.keys(input).find((field) => !Object.hasOwn(properties, field));
}

/** Undefined when the tool itself cannot say what the call is about. */
function subjectOf(tool: Tool | undefined, input: ToolInput | string): Pick<ToolCall, "command" | "paths"> | undefined {
  if (tool?.subject === undefined || typeof input === "string") return {};
  try {
    const { command, paths } = tool.subject(input);
    return { command, paths };
  } catch {
    return undefined;
  }
}

/** Only a plain yes is one. */
async function isApproved(
  { host, id, lifetime }: Caller,
  tool: string,
  { input, why, everyTime }: { readonly input: ToolInput; readonly why: string; readonly everyTime: boolean },
): Promise<boolean> {
  tell(host.onEvent, { type: "tool.asked", id, tool, why });
  const { ask } = host;
  if (ask === undefined) return false;
  try {
    const word: unknown = await lifetime.during((signal) =>
      ask({ id, tool, input, why, ...(everyTime && { everyTime }), signal }),
    );
    return word === true;
  } catch (error) {
    if (lifetime.endedBy() !== null) throw error;
    return false;
  }
}

async function run(
  caller: Caller,
  name: string,
  { tool, input, argv }: { readonly tool: Tool; readonly input: ToolInput; readonly argv: ToolContext["argv"] },
): Promise<CallAnswer> {
  const { host, id, lifetime, limits, track } = caller;
  const capabilities = watchedView(caller, name);
  tell(host.onEvent, { type: "tool.started", id, tool: name });
  const answer = await lifetime
    .during((signal) => {
      const context = Object.freeze({ id, argv, capabilities, signal });
      const running = runTool(name, tool, input, context, limits.textBytes);
      track(running);
      return running;
    })
    .catch((error: unknown) => failed(`${name} failed: ${messageOf(error, 600)}`));
  tell(host.onEvent, { type: "tool.ended", id, tool: name, isError: answer.isError });
  lifetime.demand();
  return answer;
}

/**
 * Tools that say themselves what the model is told, by their function, so that one is known also under another name: what
 * a sub-agent said stands between markers and was cut before, so that the last marker is not.
 */
export const wholeAnswers = new WeakMap<object, (input: unknown, signal: AbortSignal) => Promise<CallAnswer>>();

async function runTool(
  name: string,
  tool: Tool,
  input: ToolInput,
  context: ToolContext,
  mostBytes: number,
): Promise<CallAnswer> {
  const answerWhole = wholeAnswers.get(tool.run);
  if (answerWhole !== undefined) return answerWhole(input, context.signal);
  const said: unknown = await tool.run(input, context);
  if (typeof said !== "string") return failed(`${name} answered with something else than text.`);
  return { content: cutText(said, mostBytes), isError: false };
}

/** SC-2: the registry to read. A tool that tries to write for its model is denied that, and it is recorded. */
function watchedView(caller: Caller, tool: string): CapabilityRegistry {
  const { capabilities } = caller.host;
  const refuse = (): never => {
    recordDenial(caller, tool, notAllowed("a sub-agent cannot write to the registry of its primary"));
    throw new AppError("scope.readonly", "capability skills are the primary's to register; a sub-agent reads them");
  };
  return Object.freeze({
    get: (name: string) => capabilities.get(name),
    list: () => capabilities.list(),
    validate: (...asked: Parameters<CapabilityRegistry["validate"]>) => capabilities.validate(...asked),
    compose: (...asked: Parameters<CapabilityRegistry["compose"]>) => capabilities.compose(...asked),
    register: refuse,
    override: refuse,
  });
}

function denied(caller: Caller, { tool }: NamedCall, denial: Denial): CallAnswer {
  recordDenial(caller, tool, denial);
  return failed(
    `${denial.code}: ${safeLine(tool)} was not run: ${denial.why}. Another spelling or a sub-agent of yours does not change that; go on with the tools you have.`,
  );
}

function notAllowed(why: string): Denial {
  return { code: "TOOL_NOT_ALLOWED", why, by: [] };
}

function failed(content: string): CallAnswer {
  return { content, isError: true };
}

const deepest = 64;

/**
 * The input of a call, read once and frozen all through: what is judged is what is run. A text says why it cannot be
 * read. Models leave it out where a tool needs nothing.
 */
export function readInput(text: unknown): ToolInput | string {
  if (typeof text !== "string") return "the input is no text";
  if (text.length > longestCallInput || Buffer.byteLength(text) > longestCallInput)
    return `the input is over ${longestCallInput} bytes`;
  const value = text.trim() === "" ? {} : parseJson(text);
  if (!isInput(value)) return "the input is no JSON object";
  return freezeAll(value) ?? value;
}

function isInput(value: unknown): value is { readonly [key: string]: Plain } {
  return isRecord(value);
}

/** Without recursion: a megabyte of brackets is deeper than any stack. Returns what is wrong with it. */
function freezeAll(input: ToolInput): string | undefined {
  let level: object[] = [input];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > deepest) return `the input is nested deeper than ${deepest}`;
    // A tool that copies its input with the wrong means would give the copy another prototype.
    if (level.some((value) => Object.hasOwn(value, "__proto__"))) return "the input has a field named __proto__";
    for (const value of level) Object.freeze(value);
    level = level.flatMap((value) => Object.values(value).filter(isThing));
  }
  return undefined;
}

function isThing(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
