import { AppError } from "../../../base/error.ts";
import { safeLine } from "../../../base/text.ts";
import type { ToolCall } from "../../../base/tools/tools.ts";
import { isObject } from "../../../registry/stored-values.ts";
import { decide } from "../../scope/gate.ts";
import type { CapabilityRegistry } from "../../scope/registry.ts";
import { cutText } from "../fence.ts";
import { type Denial, recordDenial, type Session } from "./session.ts";
import { messageOf } from "./spawn-faults.ts";
import { readInput } from "./session-input.ts";
import { tell } from "../../../base/tell.ts";
import { NestedAnswer, nestedAnswer } from "./spawn-tool.ts";
import type { Tool, ToolContext, ToolInput } from "../tool.ts";

/** A call as the model named it. */
export interface NamedCall {
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

/** One call, through the gate, at the moment it is made (SC-7, T33). Throws only when the session is over. */
export async function answerCall(session: Session, call: NamedCall): Promise<CallAnswer> {
  const judged = judge(session, call);
  if (judged.is === "denied") return denied(session, call, judged.denial);
  if (judged.is === "unreadable") return unreadable(session, call.tool, judged.why);
  if (judged.is === "ask" && !(await isApproved(session, call.tool, judged)))
    return denied(session, call, notAllowed(`it needs a person's word, and has none: ${judged.why}`));
  return run(session, call.tool, judged);
}

/** A call beyond those of one turn: not even looked at, and recorded as every other. */
export function denyExcess(session: Session, call: NamedCall): CallAnswer {
  return denied(session, call, notAllowed(`more than ${session.limits.calls} calls were wanted in one turn`));
}

/** The gate let it through, and there is nothing to run it with: told as a call that began and failed. */
function unreadable({ host, id }: Session, named: string, why: string): CallAnswer {
  tell(host.onEvent, { type: "tool.started", id, tool: named });
  tell(host.onEvent, { type: "tool.ended", id, tool: named, isError: true });
  return failed(`${safeLine(named)} was not run: ${why}.`);
}

function judge({ callable, policy, scope, grants }: Session, { tool: name, input: text }: NamedCall): Judged {
  const tool = callable.get(name);
  const input = readInput(text);
  const subject = subjectOf(tool, input);
  const decision = decide(policy, scope, grants, { tool: name, ...subject });
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

/** A field that the tool says it does not take: nobody is asked about what is not looked at. */
function strangerIn({ inputSchema }: Tool, input: ToolInput): string | undefined {
  const { additionalProperties, properties } = inputSchema;
  if (additionalProperties !== false || !isObject(properties)) return undefined;
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
  { host, id, lifetime }: Session,
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
  session: Session,
  name: string,
  { tool, input, argv }: { readonly tool: Tool; readonly input: ToolInput; readonly argv: ToolContext["argv"] },
): Promise<CallAnswer> {
  const { host, id, lifetime, limits } = session;
  const capabilities = watchedView(session, name);
  tell(host.onEvent, { type: "tool.started", id, tool: name });
  const answer = await lifetime
    .during((signal) => {
      const context = Object.freeze({ id, argv, capabilities, signal });
      const running = (async () => nestedAnswer(tool, input, context) ?? tool.run(input, context))();
      session.track(running);
      return running;
    })
    .then(
      (said: unknown) => answerOf(name, said, limits.textBytes),
      (error: unknown) => failed(`${name} failed: ${messageOf(error, 600)}`),
    );
  tell(host.onEvent, { type: "tool.ended", id, tool: name, isError: answer.isError });
  lifetime.demand();
  return answer;
}

function answerOf(name: string, said: unknown, mostBytes: number): CallAnswer {
  // What a sub-agent said stands between markers: it was cut before, so that the last marker is not.
  if (said instanceof NestedAnswer) return { content: said.content, isError: said.isError };
  if (typeof said !== "string") return failed(`${name} answered with something else than text.`);
  return { content: cutText(said, mostBytes), isError: false };
}

/** SC-2: the registry to read. A tool that tries to write for its model is denied that, and it is recorded. */
function watchedView(session: Session, tool: string): CapabilityRegistry {
  const { capabilities } = session.host;
  const refuse = (): never => {
    recordDenial(session.host, session, tool, notAllowed("a sub-agent cannot write to the registry of its primary"));
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

function denied(session: Session, { tool }: NamedCall, denial: Denial): CallAnswer {
  recordDenial(session.host, session, tool, denial);
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
