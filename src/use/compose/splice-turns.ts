import { isSystemRole, type TurnsProtocol } from "./inject-protocols.ts";
import { createKeys } from "./json-keys.ts";
import type { JsonReader } from "./json-reader.ts";
import { elementOf, frontOf, type Place } from "./splice-edits.ts";

/** What the turns of a request have to offer. */
export interface Turns {
  /** Undefined: there is no user turn. Empty: there is one, and no text can go into it. */
  readonly user: readonly Place[] | undefined;
  /** Behind the turns that the system prompt consists of. */
  readonly system: Place | undefined;
  /** There are such turns. */
  readonly hasSystem: boolean;
}

const noTurns: Turns = { user: undefined, system: undefined, hasSystem: false };

/** The member with the turns, up to the first user turn; what follows is not looked into (CO-8). */
export function readTurns(json: JsonReader, protocol: TurnsProtocol): Turns {
  const kind = json.peek();
  if (kind === "list") return readTurnList(json, protocol);
  const span = json.skip();
  return kind === "text" && protocol.isStringTurn ? { ...noTurns, user: [frontOf(span)] } : noTurns;
}

function readTurnList(json: JsonReader, protocol: TurnsProtocol): Turns {
  let user: readonly Place[] | undefined;
  let systemEnd: number | undefined;
  let isSystemRun = true;
  const list = json.readList(() => {
    if (user !== undefined || json.peek() !== "object") {
      json.skip();
      isSystemRun = false;
      return;
    }
    const turn = readTurn(json, protocol);
    isSystemRun &&= isSystemRole(turn.role);
    if (isSystemRun) systemEnd = json.at;
    if (turn.role === "user" && turn.isMessage) user = turn.places;
  });
  const system = elementOf(list, systemEnd, (content) => ({ role: "system", content }));
  return { user, system, hasSystem: systemEnd !== undefined };
}

interface Turn {
  readonly role: string | undefined;
  readonly isMessage: boolean;
  readonly places: readonly Place[];
}

const plainKeys = createKeys("role", "content");
const typedKeys = createKeys("role", "content", "type");

function readTurn(json: JsonReader, protocol: TurnsProtocol): Turn {
  let role: string | undefined;
  let isMessage = true;
  let places: readonly Place[] = [];
  json.readObject(protocol.hasTypes ? typedKeys : plainKeys, (key) => {
    if (key === "role") role = json.readText();
    else if (key === "type") isMessage = json.readText() === "message";
    else places = readContent(json, protocol);
  });
  return { role, isMessage, places };
}

/** The members may come in any order: whose content this is may not be known yet. */
function readContent(json: JsonReader, protocol: TurnsProtocol): readonly Place[] {
  const kind = json.peek();
  if (kind === "list") return [readParts(json, protocol)];
  const span = json.skip();
  return kind === "text" ? [frontOf(span)] : [];
}

function readParts(json: JsonReader, protocol: TurnsProtocol): Place {
  let isLeading = protocol.leadingType !== null;
  let after: number | undefined;
  const list = json.readList(() => {
    if (!isLeading) {
      json.skip();
      return;
    }
    isLeading = readPartType(json) === protocol.leadingType;
    if (isLeading) after = json.at;
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
