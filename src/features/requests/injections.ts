import { type Digest, sha256 } from "../../core/digest.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import { safeLine } from "../../core/text.ts";
import { demandConfiguration } from "../../models/context.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Composition, Included } from "../../compose/composition.ts";
import type { Placed } from "../../compose/splice.ts";
import type { Contexts } from "../../app/app.ts";
import type { Composed } from "../configurations/compositions.ts";
import type { Target } from "../configurations/targets.ts";
import type { UsageLog } from "../usage/usage-log.ts";
import type { InjectionRecord } from "../../registry/schema.ts";

/** What became of a composition in one request. */
export interface Injected {
  readonly target: Target;
  readonly composed: Composed;
  /** Whether there was a place for it: a user message, a system prompt. */
  readonly placed: Placed;
  /** What is in the conversation already (CO-8). */
  readonly there?: Partial<Placed>;
  /** The id of the request. */
  readonly request: string;
  readonly operation: string;
  readonly model: string;
  /** What was noticed while it was put in its place. */
  readonly findings: readonly Finding[];
}

/** Writes down what each request was given, and answers for it later (CO-7, CO-16). */
export class Injections {
  readonly #contexts: Contexts;
  readonly #usage: UsageLog;
  /** Told of each record, whatever door it is for. */
  onRecord: (record: InjectionRecord) => void = () => {};

  constructor(contexts: Contexts, usage: UsageLog) {
    this.#contexts = contexts;
    this.#usage = usage;
  }

  /** Never waits: a request does not fail because it cannot be written down. */
  record(person: Person, injected: Injected): InjectionRecord {
    const { clock, random } = this.#contexts.world;
    const id = `inj_${Buffer.from(random.bytes(12)).toString("hex")}`;
    const record = recordOf({ id, at: clock.now(), by: person.name }, injected);
    this.#usage.addInjection(record);
    this.onRecord(record);
    const { at, configuration, task } = record;
    const common = { at, configuration, task, conversation: id, tool: null };
    for (const { entry, digest, via } of record.included) {
      if (via === "routed") this.#usage.add({ ...common, event: "routed", entry, digest });
      this.#usage.add({ ...common, event: "injected", entry, digest });
    }
    for (const { entry, digest } of record.dropped)
      this.#usage.add({ ...common, event: "dropped", entry, digest: digest ?? "" });
    return record;
  }

  /** RV-12: not of a configuration that the person may not touch. */
  async find(person: Person, id: string): Promise<InjectionRecord> {
    const isId = /^inj_[0-9a-f]{24}$/.test(id);
    const record = isId ? (this.#usage.find(id) ?? (await this.#contexts.kept.read.findInjection(id))) : undefined;
    if (record === undefined) throw new AppError("record.missing", `there is no injection "${safeLine(id, 80)}"`);
    demandConfiguration(person, record.configuration);
    return record;
  }
}

function recordOf(
  made: Pick<InjectionRecord, "id" | "at" | "by">,
  { target, composed, placed, there = {}, request, operation, model, findings }: Injected,
): InjectionRecord {
  const { configuration, task, look } = target;
  const parts = partsOf(composed);
  // CO-8: without a place for it nothing was put in, and that is what is said.
  const unplaced = parts.filter(({ place }) => !placed[place] && there[place] !== true);
  const compositions = allOf(composed);
  return {
    ...made,
    request,
    operation,
    configuration: configuration.id,
    task: task?.id ?? null,
    model,
    generation: look.snapshot.generation,
    digest: digestOf(composed),
    bytes: bytesPlaced(composed, placed),
    included: parts.filter(({ place }) => placed[place]),
    dropped: [
      ...compositions.flatMap(({ dropped }) =>
        dropped.map(({ entry, digest, via, why }) => ({ entry, digest, via, why })),
      ),
      ...unplaced.map(({ entry, digest, via }) => ({ entry, digest, via, why: "no-place" })),
    ],
    findings: [...compositions.flatMap((each) => each.findings), ...findings],
  };
}

function allOf({ composition, last }: Composed): readonly Composition[] {
  return last === null ? [composition] : [composition, last];
}

type Part = InjectionRecord["included"][number] & { readonly place: keyof Placed };

/** A second block is always the user's: what is told apart is which message it is in. */
function partsOf({ composition, last }: Composed): readonly Part[] {
  return [
    ...composition.included.map((each) => partOf(each, each.place)),
    ...(last?.included ?? []).map((each) => partOf(each, "last")),
  ];
}

function partOf({ entry, digest, name, via, bytes }: Included, place: keyof Placed): Part {
  return { entry, digest, name, via, place, bytes };
}

function digestOf({ composition, last }: Composed): Digest {
  if (last === null || last.block === "") return composition.digest;
  return sha256(Buffer.from(`${composition.digest} ${last.digest}`));
}

function bytesPlaced({ composition, last }: Composed, placed: Placed): number {
  const { block, systemBlock } = composition;
  const texts = [placed.user ? block : "", placed.system ? systemBlock : "", placed.last ? (last?.block ?? "") : ""];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
