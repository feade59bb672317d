import type { SyncFailure } from "../../app/syncs.ts";
import { AppError, type ErrorCode } from "../../base/error.ts";
import { failureOf } from "../statuses.ts";

/** No more than a request that fails alike would say: what names files and addresses of the machine is for its log. */
export function shownFailure(failure: SyncFailure<ErrorCode>): SyncFailure<ErrorCode> {
  const { code, message } = failure.error;
  return { ...failure, error: { code, message: failureOf(new AppError(code, message)).detail } };
}

/** The same for whoever only looks on: what nobody foresaw has words of ours. */
export function toldFailure(failure: SyncFailure): SyncFailure {
  const { code, message } = failure.error;
  return code === "internal" ? failure : shownFailure({ ...failure, error: { code, message } });
}
