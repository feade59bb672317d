import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import { keyTooLong } from "../schema.ts";

/** The connection went away under a statement: whether the server did it is not known. */
export class Lost extends AppError {}

const lost = "the connection was lost";

/** By SQLSTATE, by its class, or by what the system said: what happened and what to do. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; is the server running?",
  ENOTFOUND: "the host is not known",
  EAI_AGAIN: "the host is not known",
  EHOSTUNREACH: "there is no way to the server",
  ENETUNREACH: "there is no way to the server",
  "22P05": "the encoding of the database cannot keep this text; create it with the encoding UTF8",
  "25006": "the database is read-only; is it a replica?",
  "28": "the server refuses this user",
  "28P01": "the password is wrong",
  "3D000": "the database does not exist; create it first",
  "42501": "the user may not do this; grant it the rights on the schema",
  "53": "the server is out of resources; make room and try again",
  "53100": "the disk is full; nothing was changed, make room and try again",
  "53300": "too many connections; wait, or allow more of them",
  "55P03": "another process has been writing for too long; wait for it to end, or look for one that hangs",
  "57": "the server cancelled it; try again",
  "58": "the disk failed while reading or writing it",
  XX: "the server found damage or a fault of its own; look into its log",
};

/** Each of them ends the connection. */
const losses: Readonly<Record<string, string>> = {
  ECONNRESET: lost,
  EPIPE: lost,
  ETIMEDOUT: "the server does not answer",
  "08": lost,
  "25P03": "the transaction stood still for too long and was ended",
  "57P01": "the server was shut down, or the connection ended by an administrator",
  "57P02": "the server crashed",
  "57P03": "the server is starting up or shutting down",
};

/** A check that failed, an index that a row does not fit into. */
const keysRefused = new Set(["23514", "54000"]);

/** A broken statement or constraint is a fault of ours, and shown as one. */
export async function explained<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const { code, message } = said(error);
    if (keysRefused.has(code)) throw keyTooLong(error);
    const loss = losses[code] ?? losses[code.slice(0, 2)] ?? lossOf(message);
    if (loss !== undefined) throw new Lost("store.failed", worded(loss, message), { cause: error });
    const why = reasons[code] ?? reasons[code.slice(0, 2)];
    if (why !== undefined) throw new AppError("store.failed", worded(why, message), { cause: error });
    throw error;
  }
}

/** No statement of ours can be at fault while there is no connection. */
export async function connecting<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await explained(act);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("store.failed", worded("it cannot be reached", said(error).message), { cause: error });
  }
}

function said(error: unknown): { code: string; message: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

/** The driver has no code for these. */
function lossOf(message: string): string | undefined {
  return /Connection terminated|connection error and is not queryable|Client was closed/.test(message)
    ? lost
    : undefined;
}

function worded(why: string, message: string): string {
  return `the PostgreSQL store: ${why} (${safeLine(message)})`;
}
