import type { z } from "@hono/zod-openapi";
import type { App } from "../../app/app.ts";
import type { Person } from "../../registry/accounts/roles.ts";

/** The routes of a feature, by the schemas that they are held to (SV-2). The server mounts and guards them. */

/** What a body may hold (T41). `small`: anybody may send it; `texts`: for models. */
export type BodySize = "small" | "usual" | "queries" | "texts";

/** One route as it is described. */
export interface RouteDescription<Answer extends z.ZodType, Query extends z.ZodType = z.ZodType> {
  /** With `{id}`, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  readonly answer: Answer;
  /** What may stand behind the question mark, each as a text. */
  readonly query?: Query;
  /** Its heading in the description; without one, the part of the path after `/api/`. */
  readonly tag?: string;
}

export interface ReadRoute<Answer extends z.ZodType, Query extends z.ZodType> extends RouteDescription<Answer, Query> {
  /**
   * The answer follows from the generation and from the person alone, so it carries an ETag, and a client that has it
   * already gets 304 without any work (SV-2). Not for what changes without a new generation, such as usage.
   */
  readonly perGeneration?: boolean;
}

export interface WriteRoute<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType = z.ZodType>
  extends RouteDescription<Answer, Query> {
  /** Without one, no body is read. */
  readonly asked?: Body;
  /** How much the body may hold; `usual` unless said. */
  readonly body?: BodySize;
}

/** A request to a route of the API, read and checked. */
export interface ApiRequest<Query = unknown> {
  readonly person: Person;
  /** Skillward in the hands of this person: every flow checks what they may do. */
  readonly app: App;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** For the line in the log. Never a word of a prompt. */
  readonly notes: Record<string, string | number | boolean>;
  /** The value of `{id}`; empty where the path has none. */
  readonly id: string;
  /** The value of `{entry}`: an entry's id, or a name that only one has. */
  readonly entry: string;
  /** Any other parameter of the path, by its name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query;
}

export interface ApiRoutes {
  get<Answer extends z.ZodType, Query extends z.ZodType>(
    route: ReadRoute<Answer, Query>,
    act: (request: ApiRequest<z.infer<Query>>) => Promise<z.infer<Answer>>,
  ): void;
  post<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
    route: WriteRoute<Body, Answer, Query>,
    act: (request: ApiRequest<z.infer<Query>>, body: z.infer<Body>) => Promise<z.infer<Answer>>,
  ): void;
  put<Body extends z.ZodType, Answer extends z.ZodType>(
    route: WriteRoute<Body, Answer>,
    act: (request: ApiRequest, body: z.infer<Body>) => Promise<z.infer<Answer>>,
  ): void;
  patch<Body extends z.ZodType, Answer extends z.ZodType>(
    route: WriteRoute<Body, Answer>,
    act: (request: ApiRequest, body: z.infer<Body>) => Promise<z.infer<Answer>>,
  ): void;
  delete<Answer extends z.ZodType, Query extends z.ZodType>(
    route: RouteDescription<Answer, Query>,
    act: (request: ApiRequest<z.infer<Query>>) => Promise<z.infer<Answer>>,
  ): void;
}
