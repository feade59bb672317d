import { safeLine } from "../base/text.ts";
import type { TraceContext } from "./traceparent.ts";

export type SpanValue = string | number | boolean;

/** A span that is over. */
export interface EndedSpan {
  readonly name: string;
  readonly context: TraceContext;
  /** The id of the span above it. */
  readonly parent: string | null;
  readonly start: number;
  readonly end: number;
  readonly status: "ok" | "error";
  readonly attributes: ReadonlyMap<string, SpanValue>;
}

const serverKind = 2;
const statusCodes = { ok: 1, error: 2 };

/** OTLP over HTTP in JSON: one resource, one scope. */
export function renderSpans(spans: readonly EndedSpan[]): string {
  const resource = { attributes: [attribute("service.name", "skillward")] };
  const scopeSpans = [{ scope: { name: "skillward" }, spans: spans.map(shownSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
}

function shownSpan({ name, context, parent, start, end, status, attributes }: EndedSpan): object {
  return {
    traceId: context.trace,
    spanId: context.span,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: serverKind,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: [...attributes].map(([key, value]) => attribute(key, value)),
    status: { code: statusCodes[status] },
  };
}

/** As text: the number is beyond what JSON carries exactly. */
function nanoseconds(milliseconds: number): string {
  return (BigInt(Math.trunc(milliseconds)) * 1_000_000n).toString();
}

function attribute(key: string, value: SpanValue): object {
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  if (typeof value === "string") return { key, value: { stringValue: safeLine(value, 200) } };
  return { key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}
