import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Log } from "../logs/log.ts";
import { failureOf, isForTheLog } from "../../features/http/statuses.ts";

/**
 * Whatever fails, said as the protocol says it. The SDK would hand on any message as it is, and of an error that nobody
 * foresaw that can name files, addresses or a piece of what was read.
 */
export async function answering<Answer>(log: Pick<Log, "failure">, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (isForTheLog(error)) log.failure("mcp", error);
    const { status, detail } = failureOf(error);
    const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, detail);
  }
}
