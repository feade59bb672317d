import type { Insertion, RequestShape, Which } from "../../compose/inject.ts";
import { readMultipart, spliceMultipart } from "../../compose/multipart.ts";
import { type Placed, readRequest, type RequestView, spliceRequest } from "../../compose/splice.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import type { TargetName } from "../../features/configurations/targets.ts";
import type { Protocol } from "../../models/protocols.ts";

/** A request as it came, and the places in it where something may be changed. */
export interface AskedRequest {
  readonly model: string | undefined;
  /** The response or conversation that it goes on from (CO-8). */
  readonly previous: string | undefined;
  /** The conversation that it adds to, where the upstream keeps one. */
  readonly conversation: string | undefined;
  /** What its first user message says, or its last, for those who choose skills by it (CO-13). */
  said(which: Which): string;
  /** The body with another model's name or with skills in it; every other byte as it came (CO-15). */
  splice(model: string | undefined, insertion: Insertion | undefined): Spliced;
}

export interface Spliced {
  readonly body: Uint8Array;
  readonly placed: Placed;
  readonly findings: readonly Finding[];
}

export function readAsked({ shape }: GatewayRoute, contentType: string, body: Uint8Array): AskedRequest {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data" && shape === null) return readForm(contentType, body);
  if (type !== "application/json" || !isInUtf8(contentType))
    throw new AppError(
      "usage.invalid",
      `content-type: expected application/json in UTF-8, not "${safeLine(contentType, 80)}"`,
    );
  const view = readRequest(shape, body);
  const whole = lazily(() => readRequest(shape, body, "last"));
  return {
    model: view.model,
    previous: view.previousResponse ?? view.conversation,
    conversation: view.conversation,
    said: (which) => (which === "first" ? view : whole()).said?.[which].read(body) ?? "",
    splice: (model, insertion) =>
      spliceRequest((insertion?.lastBlock ?? "") === "" ? view : whole(), body, {
        ...(model === undefined ? {} : { model }),
        ...(insertion === undefined ? {} : { insertion }),
      }),
  };
}

/** Only where something is for the last message are the turns before it looked into. */
function lazily(read: () => RequestView): () => RequestView {
  let view: RequestView | undefined;
  return () => (view ??= read());
}

/** The upstream is told the same type: in another charset it would read another model. */
function isInUtf8(contentType: string): boolean {
  return [...contentType.matchAll(/charset([^;]*)/gi)].every(([, given = ""]) => /^="?utf-?8"?\s*$/i.test(given));
}

/** Audio and images are uploaded; nothing is injected into them (CO-9). */
function readForm(contentType: string, body: Uint8Array): AskedRequest {
  const view = readMultipart(contentType, body);
  const placed = { user: false, system: false, last: false };
  return {
    model: view.model,
    previous: undefined,
    conversation: undefined,
    said: () => "",
    splice: (model) => ({
      body: model === undefined ? body : spliceMultipart(view, body, model),
      placed,
      findings: [],
    }),
  };
}

/** Where a request goes, and the model it asks for there. */
export interface Destination {
  readonly name: TargetName;
  /** Null: the configuration's own. */
  readonly model: string | null;
}

/** CO-15: under plain `/v1` the model's name says where to: `configuration`, `configuration/model` or `task:<id>`. */
export function parseDestination(model: string | undefined): Destination {
  if (model === undefined)
    throw new AppError("usage.invalid", "model: expected <configuration>, <configuration>/<model> or task:<id>");
  if (model.startsWith("task:")) return { name: { task: model.slice("task:".length) }, model: null };
  const slash = model.indexOf("/");
  if (slash === -1) return { name: { configuration: model }, model: null };
  return { name: { configuration: model.slice(0, slash) }, model: model.slice(slash + 1) };
}

/** How a client speaks. Nothing is translated from one to the other (CO-15). */
export type Speech = "openai" | "anthropic";

/** One thing that can be asked of a model service. */
export interface GatewayRoute {
  /** Below `/v1` or `/c/{configuration}/v1`. */
  readonly path: string;
  readonly speech: Speech;
  /** Where a composition goes; null: the input passes byte for byte (CO-9). */
  readonly shape: RequestShape | null;
  /** As it is written down and measured. */
  readonly operation: string;
}

const openai = (path: string, operation: string, shape: RequestShape | null = null): GatewayRoute => ({
  path,
  speech: "openai",
  shape,
  operation,
});

const anthropic = (path: string, operation: string): GatewayRoute => ({
  path,
  speech: "anthropic",
  shape: "anthropic-messages",
  operation,
});

/** Everything that is posted through the gateway (CO-15). What is not here is not passed on. */
export const gatewayRoutes: readonly GatewayRoute[] = [
  openai("/chat/completions", "chat", "openai-chat"),
  openai("/responses", "responses", "openai-responses"),
  openai("/completions", "completions", "openai-completions"),
  anthropic("/messages", "messages"),
  anthropic("/messages/count_tokens", "count-tokens"),
  openai("/embeddings", "embeddings"),
  openai("/moderations", "moderations"),
  openai("/audio/speech", "speech"),
  openai("/audio/transcriptions", "transcription"),
  openai("/audio/translations", "audio-translation"),
  openai("/images/generations", "images"),
  openai("/images/edits", "image-edits"),
  openai("/images/variations", "image-variations"),
];

/** Whether a provider understands what is said as it is said. */
export function speaks(protocol: Protocol, speech: Speech): boolean {
  return protocol === speech || protocol === "echo" || protocol === "scripted";
}
