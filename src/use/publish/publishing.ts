import { AppError, type ErrorCode } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import type { OnFile } from "../../ingest/fetch/fetch-skills.ts";
import type { GitHub } from "../../ingest/fetch/github.ts";
import type { HostSets } from "../../net/host-set.ts";
import type { WritableDisk } from "./leftovers.ts";
import type { Workspace } from "./workspace.ts";

/** What changing a workspace works with. */
export interface Publishing {
  readonly disk: WritableDisk;
  readonly workspace: Workspace;
  /** Of the user's own configuration. */
  readonly sets: HostSets;
  readonly github: GitHub;
  readonly onFile: OnFile;
  /** Something to be said that is part of no result. */
  readonly onNote: (text: string) => void;
  /** Codes of findings that whoever asks accepts. */
  readonly accept: ReadonlySet<string>;
}

/** A code that lifted nothing may be a mistyped one, or one that is not needed any more. */
export function noteUnused({ accept, onNote }: Publishing, lifted: readonly string[]): void {
  for (const code of accept)
    if (!lifted.includes(code)) onNote(`--accept ${safeLine(code)}: nothing of that code stood in the way`);
}

/** Why one skill of several came to nothing. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** One skill that fails does not stop the others; a fault of ours stops everything. */
export async function orFailure<Result>(act: () => Promise<Result>): Promise<Result | { readonly error: Failure }> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
