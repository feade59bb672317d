import type { SyncFailure } from "../../app/syncs.ts";
import { AppError } from "../../base/error.ts";
import { failureOf } from "../statuses.ts";

/** No more than a request that fails alike would say: what names files and addresses of the machine is for its log. */
export function shownFailure(failure: SyncFailure): SyncFailure {
  const { code, message } = failure.error;
  return { ...failure, error: { code, message: failureOf(new AppError(code, message)).detail } };
}
