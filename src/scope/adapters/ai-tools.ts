import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { ToolCall } from "../tools/tools.ts";
import { type Admission, callOf, type CallSubject, copyInput, type Gate, type SubjectOf } from "./gated.ts";

/** Taken from a method, so that a tool with any types of its own is one. */
type Execute = { run(input: unknown, options: unknown): unknown }["run"];
type Run<Tool extends AiTool> = NonNullable<Tool["execute"]>;
type Input<Tool extends AiTool> = Parameters<Run<Tool>>[0];

/** A tool of the AI SDK, of any version: all that is looked at is how it is run. */
interface AiTool {
  readonly execute?: Execute | undefined;
}

export interface AiTools {
  readonly [name: string]: AiTool;
}

export interface GateAiToolsOptions<Tools extends AiTools> {
  /** By tool: the command and the paths of an input. Without it a call has neither, and no pattern with an argument fits. */
  readonly subjects?: { readonly [Name in keyof Tools]?: (input: Input<Tools[Name]>) => CallSubject };
  /** By tool: runs a command that a pattern let through, as these words and without a shell. Without it such calls are denied. */
  readonly commands?: {
    readonly [Name in keyof Tools]?: (
      argv: readonly string[],
      input: Input<Tools[Name]>,
      options: Parameters<Run<Tools[Name]>>[1],
    ) => unknown;
  };
  /**
   * Tools that no call can pass are left out (SC-6): a model that tries one is told by the SDK that there is none, and the
   * gate hears nothing of it. `false` keeps them, so that every try is denied, and told to `onDenied`, by the gate.
   */
  readonly hide?: boolean;
}

/**
 * A set of tools of the AI SDK that run only after the gate let the call through; everything else of them stays. It is a
 * set of its own and cannot be changed: a tool that is put into the given one later is not in it. It has the type of the
 * given one, although tools that no call can pass are left out.
 *
 * A tool without `execute` is run by somebody else, a browser or the provider of the model: such a call never comes by
 * here, so that the set is refused. The SDK asks `needsApproval` and tells `onInputAvailable` before it runs a tool.
 */
export function gateAiTools<Tools extends AiTools>(
  tools: Tools,
  gate: Gate,
  options?: GateAiToolsOptions<Tools>,
): Tools;
export function gateAiTools(tools: AiTools, gate: Gate, options: AnyOptions = {}): AiTools {
  const subjects = new Map(Object.entries(options.subjects ?? {}));
  const commands = new Map(Object.entries(options.commands ?? {}));
  // Without a prototype nothing is found under `constructor`, whoever looks for a tool of that name.
  const gated: Record<string, AiTool> = Object.create(null);
  for (const [name, tool] of Object.entries(tools)) {
    if (options.hide !== false && !gate.mayAllow(name)) continue;
    const parts = { name, run: demandRun(name, tool), subject: subjects.get(name), command: commands.get(name) };
    gated[name] = Object.freeze({ ...tool, execute: gateRun(gate, parts) });
  }
  return Object.freeze(gated);
}

interface AnyOptions {
  readonly subjects?: { readonly [name: string]: SubjectOf | undefined };
  readonly commands?: { readonly [name: string]: RunCommand | undefined };
  readonly hide?: boolean;
}

type RunCommand = { run(argv: readonly string[], input: unknown, options: unknown): unknown }["run"];

/** As it is now: replacing it in the given tool later changes nothing. */
function demandRun(name: string, tool: AiTool): Execute {
  const { execute } = tool;
  if (typeof execute === "function") return execute.bind(tool);
  throw new AppError(
    "usage.invalid",
    `tools: ${safeLine(name, 80)} has no \`execute\`, so that it runs elsewhere and cannot be gated here; leave it out, ` +
      "or ask `gate.check` where it runs",
  );
}

interface GatedParts {
  readonly name: string;
  readonly run: Execute;
  readonly subject: SubjectOf | undefined;
  readonly command: RunCommand | undefined;
}

/**
 * The SDK looks at once whether a tool answers with a stream: a call that passes is therefore run at once, and what it
 * answers is not touched. Only one that is denied, or waits for a person, is answered later.
 */
function gateRun(gate: Gate, { name, run, subject, command }: GatedParts): Execute {
  const isStream = Object.prototype.toString.call(run) === "[object AsyncGeneratorFunction]";
  return (given, options) => {
    const read = readInput(name, given, subject);
    if (read === null) return gate.refuse({ tool: name }, unreadable);
    const { call, input } = read;
    const admitted = ({ argv }: Admission): unknown => {
      if (argv === null) return run(input, options);
      return command === undefined ? gate.refuse(call, noRunner) : command(argv, input, options);
    };
    const admission = gate.admit(call);
    if (!(admission instanceof Promise)) return admitted(admission);
    const outcome = unlessAborted(admission, options).then(admitted);
    return isStream ? relay(outcome) : outcome.then(lastOf);
  };
}

const unreadable = "what it is about cannot be read from its input";
const noRunner = "it may only run as separate words without a shell, and this host has no way to run it so";

/** A person may take their time: what was given up meanwhile does not run, whatever they say then. */
async function unlessAborted(admission: Promise<Admission>, options: unknown): Promise<Admission> {
  const signal = abortSignalOf(options);
  if (signal === undefined) return admission;
  // Nobody may be left to hear a denial that comes after it.
  admission.catch(() => {});
  const listening = new AbortController();
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { signal: listening.signal }),
  );
  try {
    if (!signal.aborted) await Promise.race([admission, aborted]);
    signal.throwIfAborted();
    return await admission;
  } finally {
    listening.abort();
  }
}

function abortSignalOf(options: unknown): AbortSignal | undefined {
  const signal: unknown =
    typeof options === "object" && options !== null && "abortSignal" in options ? options.abortSignal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** What is judged is what runs: both are of the same copy. */
function readInput(
  tool: string,
  given: unknown,
  subject: SubjectOf | undefined,
): { readonly call: ToolCall; readonly input: unknown } | null {
  try {
    const input = copyInput(given);
    const call = callOf(tool, input, subject);
    return call && { call, input };
  } catch {
    return null;
  }
}

/** A stream that begins when the call was let through. */
function relay(outcome: Promise<unknown>): AsyncIterable<unknown> {
  // A stream that nobody reads must not end the process with a denial that nobody caught.
  outcome.catch(() => {});
  return partsOf(outcome);
}

async function* partsOf(outcome: Promise<unknown>): AsyncGenerator {
  const output = await outcome;
  if (isStreamed(output)) yield* output;
  else yield output;
}

/** It is too late for a stream: of one that was not foreseen the last part counts, as it does for the SDK. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isStreamed(output)) return output;
  let last: unknown;
  for await (const part of output) last = part;
  return last;
}

function isStreamed(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}
