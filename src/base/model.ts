/** What a model is asked and what it answers, whoever serves it. Answers are untrusted (CO-19). */

export type Part =
  | { readonly type: "text"; readonly text: string }
  /** `https:` or `data:`. What is fetched, the provider fetches: never this process. */
  | { readonly type: "image"; readonly url: string };

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string | readonly Part[];
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Sent along as they are, such as a temperature. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly signal?: AbortSignal | undefined;
}

export interface ModelAnswer {
  readonly text: string;
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
