/** What a model is asked and what it answers, whoever serves it. Answers are untrusted (CO-19). */

export type Part =
  | { readonly type: "text"; readonly text: string }
  /** `https:` or `data:`. What is fetched, the provider fetches: never this process. */
  | { readonly type: "image"; readonly url: string };

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** Of the input of one call: in characters where it is cut, in bytes where it is refused. */
export const longestCallInput = 1024 * 1024;

/** A call that a model wants made. Everything in it is the model's own word. */
export interface WantedCall {
  readonly id: string;
  readonly tool: string;
  /** As it came: JSON, or what the model took for it. */
  readonly input: string;
  /** What its service wants back with the call, unread: Google's models do not go on without it. */
  readonly signature?: string;
}

export type Message =
  | { readonly role: "system" | "user"; readonly content: string | readonly Part[] }
  | { readonly role: "assistant"; readonly content: string | readonly Part[]; readonly calls?: readonly WantedCall[] }
  /** What became of a call. */
  | {
      readonly role: "tool";
      readonly id: string;
      readonly tool: string;
      readonly content: string;
      readonly isError: boolean;
    };

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Sent along as they are, such as a temperature. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** What it may call; none without it. */
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Told of the answer's text as it comes, by models that can: the pieces together are the beginning of `text`, and all
   * of it when nothing fails. A model that fails may have said something before.
   */
  readonly onText?: ((text: string) => void) | undefined;
}

export interface ModelAnswer {
  readonly text: string;
  /** What it wants called before it goes on; only where it was given tools. */
  readonly calls?: readonly WantedCall[] | undefined;
  readonly finish: "stop" | "length" | "filter" | "other";
  /** Null where the provider does not say. */
  readonly tokens: { readonly input: number | null; readonly output: number | null };
}

export interface Model {
  answer(request: ModelRequest): Promise<ModelAnswer>;
}

export interface Embedder {
  /** One vector for each text, in order. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[])[]>;
}

export interface Reranker {
  /** How well each document answers the query, from 0 to 1, in the order of the documents. */
  rank(query: string, documents: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
}
