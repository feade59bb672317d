import { safeLine } from "../../core/text.ts";
import { withForbidden } from "../compose-scope.ts";
import { effectiveTools } from "../effective.ts";
import { decide, type DenialCode, type HostPolicy, type HostWord, readGrants } from "../gate.ts";
import type { Scope } from "../scope.ts";
import { canonicalTools, type ToolCall } from "../tools/tools.ts";

/** Why a call was not made. */
export interface Denial {
  readonly code: DenialCode;
  readonly why: string;
  /** The ids of the skills that it failed at; none when the host itself, or a person, said no. */
  readonly by: readonly string[];
}

/** A call that did not run. The message is for the model: it says what was denied, why, and that trying on is no use. */
export class ToolDenied extends Error implements Denial {
  override readonly name = "ToolDenied";
  readonly tool: string;
  readonly code: DenialCode;
  readonly why: string;
  readonly by: readonly string[];

  constructor(tool: string, { code, why, by }: Denial) {
    super(
      `${code}: the call of ${safeLine(tool, 140)} did not run: ${why}. ` +
        "No other spelling gets around this; go on without it, or say what you cannot do.",
    );
    this.tool = tool;
    this.code = code;
    this.why = why;
    this.by = by;
  }
}

export interface GateOptions {
  /** The most that may be called; null: no skill asked for a scope, and the host alone decides. */
  readonly scope: Scope | null;
  /** What is forbidden on top, such as what `loadWorkspace` found. */
  readonly forbiddenTools?: readonly string[] | undefined;
  /** The tools that exist, copied here: one that is added later is denied. Without it any name of a tool will do. */
  readonly catalogue?: Iterable<string> | undefined;
  /** What the host itself says, before any scope; `allow` without it. */
  readonly policy?: ((call: ToolCall, scope: Scope | null) => HostWord) | undefined;
  /** What a person agreed to beforehand, as in `allowed-tools`. An entry of unknown form is refused (`usage.invalid`). */
  readonly grants?: readonly string[] | undefined;
  /** Asks a person: only `true` lets the call through. Without it what has to be asked is denied. */
  readonly ask?: ((call: ToolCall, why: string) => boolean | Promise<boolean>) | undefined;
  /** Told of every call that was denied, to write it down. What it throws changes nothing. */
  readonly onDenied?: ((call: ToolCall, denial: Denial) => unknown) | undefined;
}

/** A call that may be made now. */
export interface Admission {
  /** When there is one, exactly this has to be run, without a shell; null: as the tool does. */
  readonly argv: readonly string[] | null;
}

/** The one place where tool calls of a host are let through or denied (SC-7). */
export interface Gate {
  /** Rejects with `ToolDenied`. */
  check(call: ToolCall): Promise<Admission>;
  /** The same, but at once when nobody has to be asked. Never throws: a denial is a rejected promise. */
  admit(call: ToolCall): Admission | Promise<Admission>;
  /** A call that does not get as far as being judged: recorded and rejected like any other. */
  refuse(call: ToolCall, why: string): Promise<never>;
  /** Whether any call of this tool can pass. What the host's policy will say is not known before a call. */
  mayAllow(tool: string): boolean;
}

/** T33: every call is judged when it is made, on a copy that nobody can change, and denied when in doubt. */
export function createGate(options: GateOptions): Gate {
  const { policy = () => "allow", ask, onDenied } = options;
  const scope = withForbidden(options.scope, options.forbiddenTools ?? [], "workspace");
  const catalogue = options.catalogue === undefined ? null : new Set(options.catalogue);
  const grants = readGrants(options.grants ?? []);

  function admit(asked: ToolCall): Admission | Promise<Admission> {
    const call = copyCall(asked);
    if (call === null) return deny({ tool: "" }, notAllowed("it cannot be read"));
    const host: HostPolicy = { catalogue: catalogue ?? new Set([call.tool]), word: policy };
    const decision = decide(host, scope, grants, call);
    if (decision.verdict === "deny") return deny(call, decision);
    const admission = { argv: decision.argv };
    return decision.verdict === "allow" ? admission : askFor(call, decision.why, admission);
  }

  async function askFor(call: ToolCall, why: string, admission: Admission): Promise<Admission> {
    if (ask === undefined) return deny(call, notAllowed(`${why}, and nobody can be asked here`));
    return (await agrees(ask, call, why))
      ? admission
      : deny(call, notAllowed("the person who was asked did not agree"));
  }

  async function deny(call: ToolCall, { code, why, by }: Denial): Promise<never> {
    const denial: Denial = Object.freeze({ code, why, by });
    tell(() => onDenied?.(call, denial));
    throw new ToolDenied(call.tool, denial);
  }

  return Object.freeze({
    admit,
    check: async (call: ToolCall) => admit(call),
    refuse: (call: ToolCall, why: string) => deny(call, notAllowed(why)),
    mayAllow: (tool: string) => (catalogue === null || catalogue.has(tool)) && scopeMayAllow(scope, tool),
  });
}

function scopeMayAllow(scope: Scope | null, tool: string): boolean {
  if (scope === null) return canonicalTools(tool).length > 0;
  return effectiveTools(scope, [tool]).some(({ decision }) => decision === "allow");
}

/** Every field is read once: what is judged, asked about and written down is one and the same. */
function copyCall(asked: ToolCall): ToolCall | null {
  try {
    const { tool, command, paths } = asked;
    if (typeof tool !== "string") return null;
    return Object.freeze({ tool, command, paths: paths === undefined ? undefined : Object.freeze(paths.slice()) });
  } catch {
    return null;
  }
}

function notAllowed(why: string): Denial {
  return { code: "TOOL_NOT_ALLOWED", why, by: [] };
}

/** Asking that fails is no agreement, and neither is anything else than `true`. */
async function agrees(ask: NonNullable<GateOptions["ask"]>, call: ToolCall, why: string): Promise<boolean> {
  try {
    const answer: unknown = await ask(call, why);
    return answer === true;
  } catch {
    return false;
  }
}

/** The call is denied whether or not this can be written down: a listener's fault, at once or later, ends here. */
function tell(listener: () => unknown): void {
  new Promise((resolve) => resolve(listener())).catch(() => {});
}

/** What of a tool's input the gate judges: the command, the paths. */
export type CallSubject = Pick<ToolCall, "command" | "paths">;

/** Taken from a method, so that one with any type of its own input will do. */
export type SubjectOf = { of(input: unknown): CallSubject }["of"];

/** The call to be judged; null when its subject cannot be told, which is no reason to let it through. */
export function callOf(tool: string, input: unknown, subject: SubjectOf | undefined): ToolCall | null {
  try {
    const { command, paths } = subject?.(input) ?? {};
    return { tool, command, paths };
  } catch {
    return null;
  }
}

/** Deeper than the input of any tool is meant to be; a circle ends here too. */
const deepest = 100;

/**
 * Data of its own, in which every field of the given one was read once: whoever still holds the original changes
 * nothing any more. What is no plain data, as a schema of the host may have made it (a `Date`, a `URL`), stays what it
 * is. Throws for what is nested too deep, and whatever a getter throws.
 */
export function copyInput(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) throw new RangeError("nested too deep");
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => copyInput(item, depth + 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [key, copyInput(field, depth + 1)]),
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
