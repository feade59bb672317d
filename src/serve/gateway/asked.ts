import { AppError } from "../../base/error.ts";
import type { Finding } from "../../base/finding.ts";
import { safeLine } from "../../base/text.ts";
import type { TargetName } from "../../app/targets.ts";
import type { Insertion } from "../../use/compose/inject.ts";
import type { Which } from "../../use/compose/inject-text.ts";
import { readMultipart, spliceMultipart } from "../../use/compose/multipart.ts";
import { type Placed, readRequest, type RequestView, spliceRequest } from "../../use/compose/splice.ts";
import type { GatewayRoute } from "./routes.ts";

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
