import { AppError } from "../../../base/error.ts";
import type { Finding } from "../../../base/finding.ts";
import type { Message } from "../../../base/model.ts";
import { safeLine } from "../../../base/text.ts";
import { agentFinding } from "../agent-faults.ts";
import type { LoadedConversation, SavedConversation } from "./conversation.ts";
import { type Header, kindOfFile, readHeader, readMessage, version } from "./saved-values.ts";

/** Of one conversation, in bytes. */
export const mostConversationBytes = 64 * 1024 * 1024;
const mostMessages = 100_000;

/** JSON lines: what the conversation is, then its messages. Throws for one that could not be read again. */
export function renderConversation({ messages, ...header }: SavedConversation): Uint8Array {
  const lines = [{ skillward: kindOfFile, version, ...header }, ...messages].map(
    (value) => `${JSON.stringify(value)}\n`,
  );
  const bytes = Buffer.from(lines.join(""));
  if (messages.length > mostMessages || bytes.length > mostConversationBytes)
    throw new AppError("disk.failed", "the conversation is too long to be kept: begin a new one, or have it compacted");
  return bytes;
}

/** Whatever the bytes are: a conversation, or `disk.failed` with the file and the line that is none of one. */
export function parseConversation(bytes: Uint8Array, file: string): LoadedConversation {
  if (bytes.length > mostConversationBytes) throw unreadable(file, 1, `the file has ${bytes.length} bytes`);
  const values = valuesOf(bytes);
  const header = takeHeader(values, file);
  const messages: Message[] = [];
  let open = new Set<string>();
  for (const { value, line, isEnded } of values) {
    const message = readMessage(value);
    if (message === undefined && !isEnded) return { ...header, messages, findings: [lostMessage(file, line)] };
    if (message === undefined) throw unreadable(file, line, "it is no message");
    if (message.role !== "tool") open = callsOf(message);
    else if (!open.delete(message.id)) throw unreadable(file, line, "it answers a call that was not made before it");
    if (messages.push(message) > mostMessages) throw unreadable(file, line, `it comes after ${mostMessages} messages`);
  }
  return { ...header, messages, findings: [] };
}

/** What the conversation is, of its first line alone. */
export function parseHeader(bytes: Uint8Array, file: string): Header {
  return takeHeader(valuesOf(bytes), file);
}

function takeHeader(values: Iterator<LineValue, undefined>, file: string): Header {
  const header = readHeader(values.next().value?.value);
  if (typeof header === "string") throw unreadable(file, 1, header);
  return header;
}

function unreadable(file: string, line: number, why: string): AppError {
  return new AppError("disk.failed", `the conversation ${safeLine(file, 240)}:${line} cannot be read: ${why}`);
}

function lostMessage(file: string, line: number): Finding {
  return agentFinding(
    "agent.conversation-torn",
    file,
    "the last message was not written as a whole, and is lost",
    line,
  );
}

function callsOf(message: Message): Set<string> {
  return new Set(message.role === "assistant" ? message.calls?.map(({ id }) => id) : []);
}

interface LineValue {
  /** Undefined for what is no JSON. */
  readonly value: unknown;
  readonly line: number;
  /** Whether its end was written. */
  readonly isEnded: boolean;
}

const newline = "\n".charCodeAt(0);

function* valuesOf(bytes: Uint8Array): Generator<LineValue, undefined> {
  for (let [start, line] = [0, 1]; start < bytes.length; line++) {
    const end = bytes.indexOf(newline, start);
    const isEnded = end !== -1;
    yield { value: parseLine(bytes.subarray(start, isEnded ? end : bytes.length)), line, isEnded };
    start = isEnded ? end + 1 : bytes.length;
  }
  return undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseLine(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
