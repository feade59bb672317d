import { isJsonContentType, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { AppError } from "../../core/error.ts";
import { parseJson } from "../../core/json/json.ts";
import { readBody, demandModest } from "../body.ts";
import type { Wire } from "../door.ts";
import { sendJson } from "../send.ts";
import type { Log } from "../logs/log.ts";
import { failureOf, isForTheLog } from "../../features/http/statuses.ts";

/** What a host sent, or the answer to what is no message. */
export type Message = { readonly message: unknown } | { readonly answer: Response };

/** One message, bounded. The transports of the SDK are given what was read here: they read nothing themselves. */
export async function readMessage(
  { incoming, outgoing, exchange }: Wire["Bindings"],
  most: { readonly bytes: number; readonly values: number },
): Promise<Message> {
  if (!isJsonContentType(incoming.headers["content-type"]))
    return { answer: refuse(outgoing, 415, invalidRequest, "content-type: expected application/json") };
  const bytes = await readBody(incoming, most.bytes);
  exchange.bytesIn = bytes.length;
  const excess = excessOf(bytes, most.values);
  if (excess !== undefined) return { answer: refuse(outgoing, 400, invalidRequest, excess) };
  const message = parseJson(bytes);
  if (message === undefined)
    return { answer: refuse(outgoing, 400, parseError, "the body is not valid JSON in UTF-8") };
  // T41: many in one would count as one. The protocol had them for three months.
  if (Array.isArray(message)) return { answer: refuse(outgoing, 400, invalidRequest, "send one message at a time") };
  return { message };
}

/** T41: before it is parsed. */
function excessOf(bytes: Buffer, mostValues: number): string | undefined {
  try {
    demandModest(bytes, mostValues);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const parseError = -32_700;
export const [invalidRequest, unknownSession] = [-32_600, -32_001] as const;

/** A refusal that clients of MCP read. */
export function refuse(
  outgoing: Wire["Bindings"]["outgoing"],
  status: number,
  code: number,
  message: string,
): Response {
  return sendJson(outgoing, { jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

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
