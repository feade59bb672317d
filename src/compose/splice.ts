import { AppError } from "../core/error.ts";
import type { Finding } from "../core/finding.ts";
import type { Container, Span } from "../core/json/reader.ts";
import { noLastPlace, noPlace, noPromptPlace, noSystem, noSystemPlace, noUser } from "./findings.ts";
import { joinBlocks, protocols, refuseManyPrompts } from "./inject-protocols.ts";
import type { Insertion, RequestShape, Which } from "./inject.ts";
import { applyEdits, type Edit, firstMember, insteadOf, type Place } from "./splice-edits.ts";
import { type Members, readMembers } from "./splice-members.ts";
import type { Said } from "./splice-text.ts";

/** What one scan of a body found. It fits that body and no other. */
export interface RequestView {
  /** The member `model`, when it is a string. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /** The response that this request goes on from (CO-8). */
  readonly previousResponse: string | undefined;
  /** The conversation that the upstream keeps, and that this request adds to. */
  readonly conversation: string | undefined;
  /** The request brings a system prompt of its own, where its protocol has it. */
  readonly hasSystem: boolean;
  /** Where something may go in. */
  readonly places: Places;
  /** What the first user message says, and the last that says something, where the scan went so far. */
  readonly said: Readonly<Record<Which, Said>> | undefined;
}

interface Places {
  readonly shape: RequestShape | null;
  readonly model: { readonly root: Container; readonly span: Span | undefined };
  /** Undefined: there is no user turn. Empty: there is one, and no text can go into it. */
  readonly user: readonly Place[] | undefined;
  /** In the last user turn that says something. */
  readonly last: Place | undefined;
  readonly system: Place | undefined;
}

/**
 * Scans a body once. `null` is for requests into which nothing goes: only their model is read (CO-9).
 * `usage.invalid` for what is not one JSON object in UTF-8, and for a member of ours that is there twice: two readers
 * could see two values, and one of them a model that is not on the list. Turns behind the first user turn are looked
 * into only with `upTo: last`, for those who have something for the last one.
 */
export function readRequest(shape: RequestShape | null, body: Uint8Array, upTo: Which = "first"): RequestView {
  const { root, members } = readMembers(shape, body, upTo);
  const { model, stream, turns, system, previous, conversation } = members;
  return {
    model: model?.text,
    stream: stream ?? false,
    previousResponse: previous,
    conversation,
    hasSystem: turns?.hasSystem === true || (system !== undefined && !system.isNull),
    places: {
      shape,
      model: { root, span: model?.span },
      user: turns?.user,
      last: turns?.last,
      system: systemPlace(shape, root, members),
    },
    said: turns?.said,
  };
}

function systemPlace(shape: RequestShape | null, root: Container, { turns, system }: Members): Place | undefined {
  if (shape === null || shape === "openai-completions") return undefined;
  const member = protocols[shape].system;
  if (member === null) return turns?.system;
  return system === undefined ? firstMember(root, member) : system.place;
}

/** What to change in a body. What is left out, or empty, stays as it is. */
export interface Splice {
  readonly model?: string;
  readonly insertion?: Insertion;
}

/** Which of the blocks found their place. */
export interface Placed {
  readonly user: boolean;
  readonly system: boolean;
  readonly last: boolean;
}

export interface SplicedRequest {
  /** The very same array when nothing changed. */
  readonly body: Uint8Array;
  /** Which of the blocks are in the body now. */
  readonly placed: Placed;
  readonly findings: readonly Finding[];
}

/**
 * The body with another model and with the blocks in it, every other byte as it came (CO-8, CO-15). Read as JSON, it
 * is what `injectRequest` makes of the request that was read.
 */
export function spliceRequest(view: RequestView, body: Uint8Array, splice: Splice): SplicedRequest {
  const injected = planInsertion(view.places, splice.insertion ?? { block: "", systemBlock: "" });
  const edits = [...planModel(view, splice.model), ...injected.edits];
  const { placed, findings } = injected;
  return { body: edits.length === 0 ? body : applyEdits(body, edits), placed, findings };
}

function planModel({ model: present, places }: RequestView, model: string | undefined): readonly Edit[] {
  if (model === undefined || model === present) return [];
  const { root, span } = places.model;
  if (span === undefined) return [firstMember(root, "model")(model)];
  if (present === undefined) throw new AppError("usage.invalid", "model: expected a text");
  return [insteadOf(span)(model)];
}

interface Planned {
  readonly edits: readonly Edit[];
  readonly placed: Placed;
  readonly findings: readonly Finding[];
}

const nothing: Planned = { edits: [], placed: { user: false, system: false, last: false }, findings: [] };

function planInsertion(places: Places, insertion: Insertion): Planned {
  if (joinBlocks(insertion) === "" || places.shape === null) return nothing;
  if (places.user === undefined) return { ...nothing, findings: [noUser] };
  if (places.shape === "openai-completions") return planPrompts(places.user, insertion);

  const { block, systemBlock, lastBlock = "" } = insertion;
  const system = planBlock(systemBlock, optional(places.system), noSystemPlace);
  const user = planBlock(block, places.user, noPlace);
  const last = planBlock(lastBlock, optional(places.last), noLastPlace);
  return {
    // Where both are in one turn, the order here is that of the text.
    edits: [...system.edits, ...user.edits, ...last.edits],
    placed: { user: user.edits.length > 0, system: system.edits.length > 0, last: last.edits.length > 0 },
    findings: [...user.findings, ...last.findings, ...system.findings],
  };
}

function planBlock(block: string, places: readonly Place[], missing: Finding): Pick<Planned, "edits" | "findings"> {
  if (block === "") return { edits: [], findings: [] };
  return { edits: places.map((place) => place(block)), findings: places.length === 0 ? [missing] : [] };
}

function optional<Value>(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

/** Every prompt gets the blocks; there is no system prompt that one of them could go to. */
function planPrompts(prompts: readonly Place[], insertion: Insertion): Planned {
  if (prompts.length === 0) return { ...nothing, findings: [noPromptPlace] };
  refuseManyPrompts(prompts.length);
  const blocks = joinBlocks(insertion);
  const { block, systemBlock, lastBlock = "" } = insertion;
  const placed = { user: block !== "", system: systemBlock !== "", last: lastBlock !== "" };
  return { edits: prompts.map((place) => place(blocks)), placed, findings: placed.system ? [noSystem] : [] };
}
