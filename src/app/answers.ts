import { AppError } from "../base/error.ts";
import type { Finding } from "../base/finding.ts";
import type { Message, ModelAnswer } from "../base/model.ts";
import { safeLine } from "../base/text.ts";
import type { Person } from "../registry/accounts/roles.ts";
import type { InjectionRecord } from "../registry/injection.ts";
import type { Composition } from "../use/compose/composition.ts";
import { allowsModel } from "../use/llm/provider.ts";
import { type Asking, chat, complete, embed, runTask, translate } from "../use/llm/operations.ts";
import type { Contexts } from "./app.ts";
import { composeFor, invokedEntries } from "./compositions.ts";
import type { Injections } from "./injections.ts";
import type { Target, TargetName, Targets } from "./targets.ts";
import type { WayOut } from "./way-out.ts";

/** What a model answered, and what it was given beside the question. Untrusted text (CO-19). */
export interface Answered extends ModelAnswer {
  readonly injection: {
    readonly id: string;
    readonly generation: number;
    readonly included: number;
    readonly dropped: number;
  };
  readonly findings: readonly Finding[];
}

/** What every operation is asked with. */
interface Asked {
  /** The id of the request. */
  readonly request: string;
  /** Skills for this request alone, by id or name. */
  readonly skills?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The operations of CO-14 on what is kept: each composes once, injects, asks and is written down. */
export class Answers {
  readonly #contexts: Contexts;
  readonly #targets: Targets;
  readonly #injections: Injections;
  readonly #wayOut: WayOut;

  constructor(contexts: Contexts, targets: Targets, injections: Injections, wayOut: WayOut) {
    this.#contexts = contexts;
    this.#targets = targets;
    this.#injections = injections;
    this.#wayOut = wayOut;
  }

  complete(person: Person, asked: Asked & { configuration: string; prompt: string }): Promise<Answered> {
    const { configuration, prompt } = asked;
    return this.#answer(person, { configuration }, "complete", asked, (asking) => complete(asking, prompt));
  }

  chat(person: Person, asked: Asked & { configuration: string; messages: readonly Message[] }): Promise<Answered> {
    const { configuration, messages } = asked;
    return this.#answer(person, { configuration }, "chat", asked, (asking) => chat(asking, messages));
  }

  translate(person: Person, asked: Asked & { configuration: string; text: string; to: string }): Promise<Answered> {
    const { configuration, text, to } = asked;
    return this.#answer(person, { configuration }, "translate", asked, (asking) => translate(asking, text, to));
  }

  runTask(person: Person, asked: Asked & { task: string; input: string }): Promise<Answered> {
    const { task: id, input } = asked;
    return this.#answer(person, { task: id }, "task", asked, (asking, { task }) => {
      if (task === null) throw new AppError("record.missing", `there is no task "${safeLine(id, 80)}"`);
      return runTask(asking, task, input);
    });
  }

  /** CO-9: nothing is injected, and so nothing is written down. */
  async embed(
    person: Person,
    asked: Asked & { configuration: string; texts: readonly string[]; model?: string | undefined },
  ): Promise<{ vectors: readonly (readonly number[])[]; model: string }> {
    const target = await this.#targets.find(person, { configuration: asked.configuration });
    const model = asked.model ?? target.configuration.model;
    demandModel(target, model);
    const embedder = await this.#wayOut.embedder(target, model);
    return { vectors: await embed(embedder, asked.texts, asked.signal), model };
  }

  async #answer(
    person: Person,
    name: TargetName,
    operation: string,
    { request, skills = [], signal }: Asked,
    act: (asking: Asking, target: Target) => Promise<ModelAnswer & { findings?: readonly Finding[] }>,
  ): Promise<Answered> {
    const { target, composition } = await this.#compose(person, name, skills);
    const { model } = target.configuration;
    const asking = {
      configuration: target.configuration,
      model: await this.#wayOut.model(target),
      composition,
      signal,
    };
    const record = (findings: readonly Finding[]) => {
      const placed = placedIn(composition, findings);
      return this.#injections.record(person, { target, composition, placed, request, operation, model, findings });
    };
    try {
      const { findings = [], ...answer } = await act(asking, target);
      return { ...answer, ...shownRecord(record(findings)) };
    } catch (error) {
      // Whether the prompt has left is not known: it counts as used.
      record([]);
      throw error;
    }
  }

  /** Both of one generation, whatever somebody changes meanwhile (invariant 8). */
  async #compose(
    person: Person,
    name: TargetName,
    skills: readonly string[],
  ): Promise<{ target: Target; composition: Composition }> {
    const target = await this.#targets.find(person, name);
    // The list may have become shorter since the configuration was made.
    demandModel(target, target.configuration.model);
    const composition = await composeFor(this.#contexts, target, invokedEntries(person, target, skills));
    return composition === undefined ? this.#compose(person, name, skills) : { target, composition };
  }
}

function shownRecord({ id, generation, included, dropped, findings }: InjectionRecord) {
  return { injection: { id, generation, included: included.length, dropped: dropped.length }, findings };
}

/** RV-13: also under a configuration, only what the admins allow for this provider. */
export function demandModel({ provider, configuration }: Target, model: string): void {
  if (allowsModel(provider, model)) return;
  throw new AppError(
    "model.refused",
    `configuration ${configuration.id} may not ask for the model "${safeLine(model, 128)}": its provider's list does not have it`,
  );
}

/** An operation always has a system prompt's place; a user's turn only where somebody spoke (CO-8). */
function placedIn(
  { block, systemBlock }: Composition,
  findings: readonly Finding[],
): { user: boolean; system: boolean } {
  const isMissing = findings.some(({ code }) => code === "inject.no-user" || code === "inject.no-place");
  return { user: block !== "" && !isMissing, system: systemBlock !== "" };
}
