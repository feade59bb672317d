import { AppError } from "../../core/error.ts";
import type { Embedder, Model, Reranker } from "../../core/model.ts";
import { machinePerson } from "../../registry/accounts/permit.ts";
import { createReranker } from "../../models/sdk/rerank.ts";
import type { Link } from "../../routing/link.ts";
import { llmLink } from "../../routing/links/llm.ts";
import { rerankLink } from "../../routing/links/rerank.ts";
import { semanticLink } from "../../routing/links/semantic.ts";
import { createVectors, type Vectors } from "../../routing/vectors/vectors.ts";
import type { Contexts } from "../../app/app.ts";
import type { Target, Targets } from "../configurations/targets.ts";
import type { WayOut } from "../configurations/way-out.ts";

/** Milliseconds that each may take: what asks a model is worth waiting for, and no more than a person would. */
const timeBoxes = { semantic: 2000, rerank: 3000, llm: 10_000 };

/** Whoever wrote the configuration file said which models may be asked. */
const router = machinePerson("machine:router");

/** How the links that ask a model reach theirs: at each question, since an admin may have changed where it is. */
export class RouteModels {
  readonly #contexts: Contexts;
  readonly #targets: Targets;
  readonly #wayOut: WayOut;
  readonly #vectors = new Map<string, Vectors>();

  constructor(contexts: Contexts, targets: Targets, wayOut: WayOut) {
    this.#contexts = contexts;
    this.#targets = targets;
    this.#wayOut = wayOut;
  }

  semantic(): Link {
    const configuration = this.#demand("semantic");
    const embedder: Embedder = {
      embed: async (texts, signal) => (await this.embedding(configuration)).embedder.embed(texts, signal),
    };
    const vectors: Vectors = {
      of: async (shelf) => (await this.embedding(configuration)).vectors.of(shelf),
      refresh: () => this.refresh(),
    };
    return semanticLink({ embedder, vectors, timeBox: timeBoxes.semantic });
  }

  rerank(): Link {
    const configuration = this.#demand("rerank");
    const reranker: Reranker = {
      rank: async (query, documents, signal) => {
        const target = await this.#find(configuration);
        const { provider, secret, configuration: found } = target;
        const transport = await this.#wayOut.to(target);
        return createReranker({ provider, secret, model: found.model, transport }).rank(query, documents, signal);
      },
    };
    return rerankLink({ reranker, timeBox: timeBoxes.rerank });
  }

  llm(): Link {
    const configuration = this.#demand("llm");
    const model: Model = {
      answer: async (request) => {
        const target = await this.#find(configuration);
        // As its configuration says and no otherwise: not every model takes a temperature.
        const { parameters } = target.configuration;
        return (await this.#wayOut.model(target)).answer({ ...request, parameters });
      },
    };
    return llmLink({ model, timeBox: timeBoxes.llm });
  }

  /** What makes vectors, and those that it made. Kept under the model that made them: no other's are comparable. */
  async embedding(configuration: string): Promise<{ model: string; embedder: Embedder; vectors: Vectors }> {
    const target = await this.#find(configuration);
    const model = `${target.provider.id}/${target.configuration.model}`;
    const vectors = this.#vectors.get(model) ?? createVectors(this.#contexts.kept.read, model);
    this.#vectors.set(model, vectors);
    return { model, embedder: await this.#wayOut.embedder(target, target.configuration.model), vectors };
  }

  /** More vectors were stored. */
  refresh(): void {
    for (const vectors of this.#vectors.values()) vectors.refresh();
  }

  #find(configuration: string): Promise<Target> {
    return this.#targets.find(router, { configuration });
  }

  #demand(link: "semantic" | "rerank" | "llm"): string {
    const configuration = this.#contexts.config.route[link];
    if (configuration !== null) return configuration;
    throw new AppError(
      "config.invalid",
      `route.links has ${link}, and nothing says which model it asks: set route.${link} to the id of a configuration`,
    );
  }
}
