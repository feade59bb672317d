import { errors } from "undici";
import { AppError, type ErrorCode } from "../core/error.ts";
import { safeLine } from "../core/text.ts";

const tooSlow: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "it closed the connection",
  EPIPE: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "its answer does not have the length it said",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name cannot be resolved at the moment",
  ENETUNREACH: "there is no way to its network",
  EHOSTUNREACH: "there is no way to it",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS",
};

/**
 * What went wrong with a request, in our words (base/transport.ts). What the other side sent is not in them, nor is
 * what was sent to it.
 */
export function faultOf(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const name = safeLine(host);
  if (code === "UND_ERR_INVALID_ARG") return unsendable();
  if (tooSlow.has(code)) return fault("upstream.timeout", `${name} took too long`, error);
  if (isUnusable(error, code))
    return fault("upstream.invalid", `${name} answered something that is not HTTP as it may be`);
  const why = reasons[code] ?? (isTls(code) ? `its certificate is not accepted (${code})` : "the connection failed");
  return fault("upstream.unreachable", `${name} cannot be reached: ${why}`, error);
}

/** Said before anything left. Neither name nor value of the header are repeated: it may be the secret. */
function unsendable(): AppError {
  return fault(
    "egress.refused",
    "the request was not sent: a header, such as the secret, has characters that cannot be sent",
  );
}

/** Their errors carry bytes of the answer: they are not kept as a cause. An answer that is cut off was well until then. */
function isUnusable(error: unknown, code: string): boolean {
  const isParser = error instanceof errors.HTTPParserError && !error.message.includes("EOF");
  return isParser || code === "UND_ERR_HEADERS_OVERFLOW";
}

function isTls(code: string): boolean {
  return /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_)[A-Z0-9_]*$/.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Several addresses were tried.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : "";
}

function fault(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, cause === undefined ? {} : { cause });
}
