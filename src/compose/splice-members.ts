import { AppError } from "../core/error.ts";
import { type Container, createKeys, JsonReader, type Keys, type Span } from "../core/json/reader.ts";
import { JsonFault } from "../core/json/tokens.ts";
import { protocols, type TurnsShape } from "./inject-protocols.ts";
import type { RequestShape, Which } from "./inject.ts";
import { endOf, frontOf, insteadOf, lastElement, type Place } from "./splice-edits.ts";
import { Said } from "./splice-text.ts";
import { type Looking, onlyTurn, readTurns, type Turns } from "./splice-turns.ts";

/** What the members of a request say, each as far as it is there. */
export interface Members {
  readonly model?: { readonly span: Span; readonly text: string | undefined };
  readonly stream?: boolean;
  readonly turns?: Turns;
  /** No place: there is something that nothing can be put behind. */
  readonly system?: { readonly place: Place | undefined; readonly isNull: boolean };
  readonly previous?: string | undefined;
  readonly conversation?: string | undefined;
}

type MemberReader = (json: JsonReader, looking: Looking) => Members;

/** One scan of a body. Refuses what is not one JSON object, or has a member of ours twice. */
export function readMembers(
  shape: RequestShape | null,
  body: Uint8Array,
  upTo: Which,
): { root: Container; members: Members } {
  const { keys, readers } = shape === null ? untouched : shapes[shape];
  let members: Members = {};
  try {
    const json = new JsonReader(body);
    const root = json.readObject(keys, (key) => {
      members = { ...members, ...readers.get(key)?.(json, { upTo, body }) };
    });
    json.finish();
    return { root, members };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { message, at, line } = error;
    throw new AppError("usage.invalid", `the body cannot be used: ${message} at byte ${at} (line ${line})`);
  }
}

interface ShapeReader {
  readonly keys: Keys;
  readonly readers: ReadonlyMap<string, MemberReader>;
}

const shapes: Readonly<Record<RequestShape, ShapeReader>> = {
  "openai-chat": createReader({ messages: turnsOf("openai-chat") }),
  "openai-responses": createReader({
    input: turnsOf("openai-responses"),
    instructions: (json) => ({ system: readSystem(json, "text") }),
    previous_response_id: (json) => ({ previous: json.readText() }),
    conversation: (json) => ({ conversation: readConversation(json) }),
  }),
  "openai-completions": createReader({ prompt: (json) => ({ turns: readPrompts(json) }) }),
  "anthropic-messages": createReader({
    messages: turnsOf("anthropic-messages"),
    system: (json) => ({ system: readSystem(json, "list") }),
  }),
};

/** Embeddings, images, moderation: nothing goes into them (CO-9). */
const untouched = createReader({});

function createReader(own: Readonly<Record<string, MemberReader>>): ShapeReader {
  const readers = new Map(Object.entries({ model: readModel, stream: readStream, ...own }));
  return { keys: createKeys(...readers.keys()), readers };
}

function readModel(json: JsonReader): Members {
  json.peek();
  const start = json.at;
  const text = json.readText();
  return { model: { span: { start, end: json.at }, text } };
}

function readStream(json: JsonReader): Members {
  const stream = json.peek() === "true";
  json.skip();
  return { stream };
}

function turnsOf(shape: TurnsShape): MemberReader {
  return (json, looking) => ({ turns: readTurns(json, protocols[shape], looking) });
}

/** `most`: what this protocol takes besides a text. */
function readSystem(json: JsonReader, most: "text" | "list"): NonNullable<Members["system"]> {
  const kind = json.peek();
  if (kind === "list" && most === "list") return { place: readSystemParts(json), isNull: false };
  const span = json.skip();
  if (kind === "null") return { place: insteadOf(span), isNull: true };
  return { place: kind === "text" ? endOf(span) : undefined, isNull: false };
}

function readSystemParts(json: JsonReader): Place {
  const list = json.readList(() => json.skip());
  return lastElement(list, (text) => ({ type: "text", text }));
}

const conversationKeys = createKeys("id");

function readConversation(json: JsonReader): string | undefined {
  if (json.peek() !== "object") return json.readText();
  let id: string | undefined;
  json.readObject(conversationKeys, () => {
    id = json.readText();
  });
  return id;
}

/** Each text is a prompt of its own. Of tokens, or of texts and tokens mixed, none can be taken. */
function readPrompts(json: JsonReader): Turns {
  const kind = json.peek();
  if (kind === "list") return readPromptList(json);
  const span = json.skip();
  if (kind === "null") return onlyTurn(undefined);
  return kind === "text" ? promptsAt([span]) : onlyTurn([]);
}

function readPromptList(json: JsonReader): Turns {
  const spans: Span[] = [];
  let isAllText = true;
  const list = json.readList(() => {
    isAllText &&= json.peek() === "text";
    const span = json.skip();
    if (isAllText) spans.push(span);
  });
  if (list.isEmpty) return onlyTurn(undefined);
  return isAllText ? promptsAt(spans) : onlyTurn([]);
}

/** What the first one says is what skills are chosen by for all of them. */
function promptsAt(spans: readonly Span[]): Turns {
  const said = new Said();
  for (const span of spans.slice(0, 1)) said.add(span);
  return onlyTurn(spans.map(frontOf), said);
}
