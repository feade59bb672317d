import type { Randomness } from "../base/world.ts";

/** Where a span stands, as `traceparent` says it (W3C Trace Context). */
export interface TraceContext {
  readonly trace: string;
  readonly span: string;
  /** Whether anybody wants to keep it. */
  readonly sampled: boolean;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const nothing = /^0+$/;

/** Undefined for anything that is not one: then a new trace begins. */
export function parseTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  const [, trace, span, flags] = form.exec(typeof header === "string" ? header : "") ?? [];
  if (trace === undefined || span === undefined || flags === undefined) return undefined;
  if (nothing.test(trace) || nothing.test(span)) return undefined;
  return { trace, span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function renderTraceparent({ trace, span, sampled }: TraceContext): string {
  return `00-${trace}-${span}-${sampled ? "01" : "00"}`;
}

/** A span below another one, or the first of a new trace. */
export function nextContext(parent: TraceContext | undefined, random: Randomness): TraceContext {
  const hex = (bytes: number) => Buffer.from(random.bytes(bytes)).toString("hex");
  return { trace: parent?.trace ?? hex(16), span: hex(8), sampled: parent?.sampled ?? true };
}
