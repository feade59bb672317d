import { AppError } from "../../core/error.ts";
import { isRecord, isText, isWhole, readList } from "../../core/json/json.ts";
import type { Message, Part, WantedCall } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import { agentFinding } from "../agent-faults.ts";
import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/finding.ts";
import type { EntryId } from "../../core/ids.ts";

/** What the file says of itself in its first line. */
const kindOfFile = "conversation";
const version = 1;

type Header = Omit<SavedConversation, "messages">;

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
    if (message === undefined && !isEnded) {
      const lost = "the last message was not written as a whole, and is lost";
      return { ...header, messages, findings: [agentFinding("agent.conversation-torn", file, lost, line)] };
    }
    if (message === undefined) throw unreadable(file, line, "it is no message");
    if (message.role !== "tool") open = new Set(message.role === "assistant" ? message.calls?.map(({ id }) => id) : []);
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

/** A text says why it is none. */
function readHeader(value: unknown): Header | string {
  if (!isRecord(value) || value["skillward"] !== kindOfFile)
    return "it does not begin like a conversation of Skillward";
  if (value["version"] !== version) return `only version ${version} can be read: another Skillward wrote it`;
  const { id, workspace, model, startedAt, savedAt } = value;
  const [invocation, held] = [readInvocation(value["invocation"]), readList(value["held"], readHeld)];
  const isRead = isText(id) && isText(workspace) && isText(model) && isWhole(startedAt) && isWhole(savedAt);
  if (!isRead || invocation === undefined || held === undefined) return "its first line is damaged";
  return { id, workspace, model, startedAt, savedAt, invocation, held };
}

function readInvocation(value: unknown): Invocation | null | undefined {
  if (value === null) return null;
  const skill = readHeld(value);
  const text = isRecord(value) ? value["text"] : undefined;
  return skill !== undefined && isText(text) ? { ...skill, text } : undefined;
}

const digest = /^[0-9a-f]{64}$/;

function readHeld(value: unknown): HeldSkill | undefined {
  if (!isRecord(value)) return undefined;
  const { entry, digest: of, name } = value;
  return isText(entry) && isText(of) && digest.test(of) && isText(name) ? { entry, digest: of, name } : undefined;
}

/** Undefined for what is none. What is kept has no system message: nothing out of a file speaks in that role (AG-3). */
function readMessage(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const { role, id, tool, content: said, isError } = value;
  if (role === "tool") {
    const isRead = isText(id) && isText(tool) && isText(said) && typeof isError === "boolean";
    return isRead ? { role, id, tool, content: said, isError } : undefined;
  }
  const content = isText(said) ? said : readList(said, readPart);
  if (content === undefined) return undefined;
  if (role === "user") return { role, content };
  if (role !== "assistant") return undefined;
  if (value["calls"] === undefined) return { role, content };
  const calls = readList(value["calls"], readCall);
  return calls === undefined ? undefined : { role, content, calls };
}

function readPart(value: unknown): Part | undefined {
  const { type, text, url } = isRecord(value) ? value : {};
  if (type === "text" && isText(text)) return { type, text };
  return type === "image" && isText(url) ? { type, url } : undefined;
}

function readCall(value: unknown): WantedCall | undefined {
  const { id, tool, input, signature } = isRecord(value) ? value : {};
  if (!isText(id) || !isText(tool) || !isText(input)) return undefined;
  if (signature === undefined) return { id, tool, input };
  return isText(signature) ? { id, tool, input, signature } : undefined;
}

/** A skill that a person invoked: what stands in the history for it, for after a compaction (CO-12). */
export interface Invocation {
  readonly name: string;
  readonly entry: EntryId;
  readonly digest: Digest;
  /** The text of the message, from `Apply Skill` on. */
  readonly text: string;
}

/** A skill whose scope is in force in the conversation. */
export interface HeldSkill {
  readonly entry: EntryId;
  readonly digest: Digest;
  readonly name: string;
}

/** All that is kept of a conversation. */
export interface SavedConversation {
  readonly id: string;
  /** The real path it was held in. */
  readonly workspace: string;
  readonly model: string;
  readonly startedAt: number;
  readonly savedAt: number;
  readonly messages: readonly Message[];
  /** The latest one, if any. */
  readonly invocation: Invocation | null;
  readonly held: readonly HeldSkill[];
}

/** A conversation as it was found. */
export interface LoadedConversation extends SavedConversation {
  /** What of it was lost. */
  readonly findings: readonly Finding[];
}

/** Where conversations are kept: in the person's own folder, never in the workspace. */
export interface ConversationStore {
  /**
   * The whole of it, as one step: afterwards the old or the new is there. Rejects when the disk refuses, and with
   * `record.exists` when somebody else has saved it since this store last saw it.
   */
  save(conversation: SavedConversation): Promise<void>;
  /** Rejects with `record.missing`; with `disk.failed` for one that cannot be read. */
  load(id: string): Promise<LoadedConversation>;
  /** The one that was saved last in this workspace; null: none was. */
  latest(workspace: string): Promise<string | null>;
}
