import { createKeys, type JsonReader } from "../core/json/reader.ts";
import { isSystemRole, mostParts, type TurnsProtocol } from "./inject-protocols.ts";
import type { Which } from "./inject.ts";
import { elementOf, frontOf, type Place } from "./splice-edits.ts";
import { Said } from "./splice-text.ts";

/** What the turns of a request have to offer. */
export interface Turns {
  /** Undefined: there is no user turn. Empty: there is one, and no text can go into it. */
  readonly user: readonly Place[] | undefined;
  /** In the last user turn that says something; undefined also where nobody looked for it. */
  readonly last: Place | undefined;
  /** What those two turns say. */
  readonly said: Readonly<Record<Which, Said>>;
  /** Behind the turns that the system prompt consists of. */
  readonly system: Place | undefined;
  /** There are such turns. */
  readonly hasSystem: boolean;
}

/** The only one there is: the first and the last. */
export function onlyTurn(user: Turns["user"], said = new Said()): Turns {
  return { user, last: user?.[0], said: { first: said, last: said }, system: undefined, hasSystem: false };
}

/** Up to which user turn, and the bytes that the reader goes over. */
export interface Looking {
  readonly upTo: Which;
  readonly body: Uint8Array;
}

/** The member with the turns. What follows the first user turn is looked into only for the last one (CO-8, CO-13). */
export function readTurns(json: JsonReader, protocol: TurnsProtocol, looking: Looking): Turns {
  const kind = json.peek();
  if (kind === "list") return readTurnList(json, protocol, looking);
  const span = json.skip();
  if (kind !== "text" || !protocol.isStringTurn) return onlyTurn(undefined);
  const said = new Said();
  said.add(span);
  return onlyTurn([frontOf(span)], said);
}

function readTurnList(json: JsonReader, protocol: TurnsProtocol, { upTo, body }: Looking): Turns {
  const users: { first?: Turn; last?: Turn } = {};
  let systemEnd: number | undefined;
  let isSystemRun = true;
  const list = json.readList(() => {
    const isPast = users.first !== undefined && upTo === "first";
    if (isPast || json.peek() !== "object") {
      json.skip();
      isSystemRun = false;
      return;
    }
    const turn = readTurn(json, protocol);
    isSystemRun &&= isSystemRole(turn.role);
    if (isSystemRun) systemEnd = json.at;
    if (turn.role !== "user" || !turn.isMessage) return;
    users.first ??= turn;
    if (upTo === "last" && !turn.said.isSilent(body)) users.last = turn;
  });
  const { first, last } = users;
  const said = { first: first?.said ?? new Said(), last: last?.said ?? new Said() };
  const system = elementOf(list, systemEnd, (content) => ({ role: "system", content }));
  return { user: first?.places, last: last?.places[0], said, system, hasSystem: systemEnd !== undefined };
}

interface Turn {
  readonly role: string | undefined;
  readonly isMessage: boolean;
  readonly places: readonly Place[];
  readonly said: Said;
}

const plainKeys = createKeys("role", "content");
const typedKeys = createKeys("role", "content", "type");

function readTurn(json: JsonReader, protocol: TurnsProtocol): Turn {
  let role: string | undefined;
  let isMessage = true;
  let places: readonly Place[] = [];
  const said = new Said();
  json.readObject(protocol.hasTypes ? typedKeys : plainKeys, (key) => {
    if (key === "role") role = json.readText();
    else if (key === "type") isMessage = json.readText() === "message";
    else places = readContent(json, protocol, said);
  });
  return { role, isMessage, places, said };
}

/** The members may come in any order: whose content this is may not be known yet. */
function readContent(json: JsonReader, protocol: TurnsProtocol, said: Said): readonly Place[] {
  const kind = json.peek();
  if (kind === "list") return [readParts(json, protocol, said)];
  const span = json.skip();
  if (kind !== "text") return [];
  said.add(span);
  return [frontOf(span)];
}

/** Only those that lead are looked into here: what the others say is asked for when skills are chosen by it (CO-13). */
function readParts(json: JsonReader, protocol: TurnsProtocol, said: Said): Place {
  let isLeading = protocol.leadingType !== null;
  let after: number | undefined;
  let count = 0;
  const list = json.readList(() => {
    json.peek();
    const start = json.at;
    if (isLeading) isLeading = readPartType(json) === protocol.leadingType;
    else json.skip();
    if (isLeading) after = json.at;
    if (++count <= mostParts) said.addPart({ start, end: json.at }, protocol.textType);
  });
  return elementOf(list, after, (text) => ({ type: protocol.textType, text }));
}

const partKeys = createKeys("type");

function readPartType(json: JsonReader): string | undefined {
  let type: string | undefined;
  if (json.peek() !== "object") json.skip();
  else
    json.readObject(partKeys, () => {
      type = json.readText();
    });
  return type;
}
