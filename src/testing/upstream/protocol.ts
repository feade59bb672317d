import type Anthropic from "@anthropic-ai/sdk";
import type { ErrorObject } from "openai/resources/shared";
import { type Answer, createJson } from "./answer.ts";
import type { UpstreamRequest } from "./script.ts";

export type Protocol = "openai" | "anthropic";

export function protocolOf(request: UpstreamRequest): Protocol {
  const isAnthropic = request.path.startsWith("/v1/messages") || request.header("anthropic-version") !== undefined;
  return isAnthropic ? "anthropic" : "openai";
}

/** Whether the key is where the protocol has it. Anthropic takes it in both places: clients of 1.0 and later moved. */
export function hasKey(request: UpstreamRequest, secret: string): boolean {
  const isBearer = request.header("authorization") === `Bearer ${secret}`;
  return isBearer || (protocolOf(request) === "anthropic" && request.header("x-api-key") === secret);
}

/** The headers that each service sends with every answer. */
export function usualHeaders(protocol: Protocol, number: number): Record<string, string> {
  const id = `req_${number}`;
  return protocol === "anthropic" ? { "request-id": id } : { "x-request-id": id, "openai-version": "2020-10-01" };
}

export function createError(protocol: Protocol, status: number, message: string, number: number): Answer {
  return createJson(
    protocol === "anthropic" ? anthropicError(status, message, number) : openaiError(status, message),
    status,
  );
}

function openaiError(status: number, message: string): object {
  const [type, code] = OPENAI_ERRORS[status] ?? (status < 500 ? OPENAI_ERRORS[400] : OPENAI_ERRORS[500]);
  return { error: { message, type, param: null, code } satisfies ErrorObject };
}

const OPENAI_ERRORS: Readonly<Record<number, readonly [type: string, code: string | null]>> & {
  readonly 400: readonly [string, null];
  readonly 500: readonly [string, null];
} = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "unknown_url"],
  429: ["requests", "rate_limit_exceeded"],
  500: ["server_error", null],
};

function anthropicError(status: number, message: string, number: number): object {
  const type = ANTHROPIC_ERRORS[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message }, request_id: `req_${number}` } as const;
}

const ANTHROPIC_ERRORS: Readonly<Record<number, Anthropic.ErrorType>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
