import { AppError, type ErrorCode } from "../../core/error.ts";

/** What a client of any HTTP door is told about a failure. */
export interface Failure {
  /** `internal` for what nobody foresaw, `stopping` while the server ends. */
  readonly code: ErrorCode | "internal" | "stopping";
  readonly status: number;
  /** Says what to do. Never a word of an error that nobody foresaw. */
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal that passes by itself, and when. */
export class TooMany extends AppError {
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super("request.too-many", message);
    this.seconds = Math.max(1, Math.ceil(seconds));
  }
}

/** The one table of the HTTP doors. A code that is not in it does not compile. */
export const statuses = {
  "usage.invalid": 400,
  "path.missing": 404,
  "path.wrong-kind": 400,
  "disk.failed": 500,
  "config.invalid": 500,
  "keys.unusable": 500,
  "store.failed": 503,
  "store.newer": 503,
  "store.older": 503,
  "store.rolled-back": 503,
  "record.missing": 404,
  "record.exists": 409,
  "record.in-use": 409,
  "sync.running": 409,
  "sync.superseded": 409,
  "sync.fingerprint": 422,
  "source.missing": 404,
  "source.refused": 502,
  "source.limited": 503,
  "source.frozen": 409,
  "digest.mismatch": 502,
  "review.stale": 409,
  "review.refused": 422,
  "entry.unusable": 422,
  "scope.readonly": 403,
  "auth.failed": 401,
  "auth.forbidden": 403,
  "egress.refused": 502,
  "upstream.unreachable": 502,
  "upstream.timeout": 504,
  "upstream.refused": 502,
  "upstream.invalid": 502,
  "model.refused": 403,
  "budget.exceeded": 422,
  "host.refused": 421,
  "request.too-large": 413,
  "request.too-many": 429,
} as const satisfies Record<ErrorCode, number>;

/** Their messages name files and addresses of the machine: they are for its log. */
const kept: ReadonlySet<ErrorCode> = new Set([
  "disk.failed",
  "config.invalid",
  "keys.unusable",
  "store.failed",
  "store.newer",
  "store.older",
  "store.rolled-back",
]);

/** Asking again gives the same answer until somebody has done something; the official clients would ask again. */
const lasting: ReadonlySet<ErrorCode> = new Set([
  "egress.refused",
  "upstream.refused",
  "config.invalid",
  "keys.unusable",
]);

const fixed = "the server cannot answer this; its log says why, under the id of this request";

export const stopping: Failure = {
  code: "stopping",
  status: 503,
  detail: "the server is stopping; ask again",
  headers: { "retry-after": "1", connection: "close" },
};

export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) return { code: "internal", status: 500, detail: fixed, headers: {} };
  const status = statuses[error.code];
  const detail = kept.has(error.code) ? fixed : error.message;
  return { code: error.code, status, detail, headers: headersOf(error, status) };
}

function headersOf(error: AppError, status: number): Record<string, string> {
  if (error instanceof TooMany) return { "retry-after": String(error.seconds) };
  if (lasting.has(error.code)) return { "x-should-retry": "false" };
  if (status === 503) return { "retry-after": "1" };
  return status === 401 ? { "www-authenticate": "Bearer" } : {};
}

/** Whether the machine's own log must say more than the client is told. */
export function isForTheLog(error: unknown): boolean {
  return !(error instanceof AppError) || kept.has(error.code);
}
