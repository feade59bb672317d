import type { Body } from "./echo-prompt.ts";

/** What an endpoint was asked, and how the text of its answer is found. */
export interface EndpointRequest {
  readonly body: Body;
  /** From the bytes of the body alone: the same question has the same ids. */
  readonly id: string;
  readonly model: string;
  /** The answer's text to a prompt as it was received. */
  readonly reply: (received: string) => string;
}

/** An answer in a protocol's own shape: one value, or the events of a stream. */
export type EndpointAnswer =
  | { readonly status: number; readonly value: object }
  | { readonly status: 200; readonly events: Iterable<string> };

export function isStream({ stream }: Body): boolean {
  return stream === true;
}

/** One event of a stream. The name is written where the protocol has one. */
export function sseEvent(data: object | string, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

/** There is no clock here: everything was made at the epoch. */
export const created = 0;
