import type { Contexts } from "../../app/app.ts";
import { userText, type Which } from "../../compose/inject.ts";
import type { Placed } from "../../compose/splice.ts";
import { AppError } from "../../core/error.ts";
import type { Finding } from "../../core/finding.ts";
import type { Message, ModelAnswer } from "../../core/model.ts";
import { safeLine } from "../../core/text.ts";
import { type Asking, chat, complete, embed, runTask, translate } from "../../models/operations.ts";
import { allowsModel } from "../../models/provider.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { atOneGeneration } from "../../registry/one-generation.ts";
import { type Composed, invokedEntries } from "../configurations/compositions.ts";
import type { Target, TargetName, Targets } from "../configurations/targets.ts";
import type { WayOut } from "../configurations/way-out.ts";
import type { Router } from "../routing/router.ts";
import type { Injections } from "./injections.ts";
import { composeRouted, type Given } from "./routed-skills.ts";
import type { InjectionRecord } from "../../registry/schema.ts";

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
  readonly #router: Router;

  constructor(contexts: Contexts, targets: Targets, injections: Injections, wayOut: WayOut, router: Router) {
    this.#contexts = contexts;
    this.#router = router;
    this.#targets = targets;
    this.#injections = injections;
    this.#wayOut = wayOut;
  }

  complete(person: Person, asked: Asked & { configuration: string; prompt: string }): Promise<Answered> {
    const { configuration, prompt } = asked;
    const asking = { operation: "complete", read: () => prompt };
    return this.#answer(person, { configuration }, asked, asking, (model) => complete(model, prompt));
  }

  chat(person: Person, asked: Asked & { configuration: string; messages: readonly Message[] }): Promise<Answered> {
    const { configuration, messages } = asked;
    const asking = { operation: "chat", read: (which: Which) => userText("openai-chat", { messages }, which) };
    return this.#answer(person, { configuration }, asked, asking, (model) => chat(model, messages));
  }

  /** Nothing is routed: the text is data, and what it is about says nothing of how to translate it. */
  translate(person: Person, asked: Asked & { configuration: string; text: string; to: string }): Promise<Answered> {
    const { configuration, text, to } = asked;
    const asking = { operation: "translate", read: null };
    return this.#answer(person, { configuration }, asked, asking, (model) => translate(model, text, to));
  }

  /** Routed by what the caller says: the template is the same for everybody, and skills for it are attached. */
  runTask(person: Person, asked: Asked & { task: string; input: string }): Promise<Answered> {
    const { task: id, input } = asked;
    const asking = { operation: "task", read: () => input };
    return this.#answer(person, { task: id }, asked, asking, (model, { task }) => {
      if (task === null) throw new AppError("record.missing", `there is no task "${safeLine(id, 80)}"`);
      return runTask(model, task, input);
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
    asked: Asked,
    { operation, read }: Reading,
    act: (asking: Asking, target: Target) => Promise<ModelAnswer & { findings?: readonly Finding[] }>,
  ): Promise<Answered> {
    const { request, signal } = asked;
    const { target, given } = await this.#compose(person, name, asked, read);
    const { model } = target.configuration;
    const { block, systemBlock } = given.composition;
    const asking = {
      configuration: target.configuration,
      model: await this.#wayOut.model(target),
      composition: { block, systemBlock, lastBlock: given.last?.block ?? "" },
      signal,
    };
    const record = (noticed: readonly Finding[]) => {
      const [placed, findings] = [placedIn(given, noticed), [...given.findings, ...noticed]];
      return this.#injections.record(person, { target, composed: given, placed, request, operation, model, findings });
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
    asked: Asked,
    read: Reading["read"],
  ): Promise<{ target: Target; given: Given }> {
    const { skills = [], signal } = asked;
    return atOneGeneration(async () => {
      const target = await this.#targets.find(person, name);
      // The list may have become shorter since the configuration was made.
      demandModel(target, target.configuration.model);
      const invoked = invokedEntries(person, target, skills);
      const wishes = { invoked, said: read === null ? null : { read }, signal };
      return { target, given: await composeRouted(this.#contexts, this.#router, target, wishes) };
    });
  }
}

/** What an operation is called, and what of it skills are chosen by (CO-13). */
interface Reading {
  readonly operation: string;
  readonly read: ((which: Which) => string) | null;
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
function placedIn({ composition, last }: Composed, findings: readonly Finding[]): Placed {
  const isMissing = findings.some(({ code }) => code === "inject.no-user" || code === "inject.no-place");
  const { block, systemBlock } = composition;
  return { user: block !== "" && !isMissing, system: systemBlock !== "", last: last !== null && !isMissing };
}
