import type { Finding } from "../core/finding.ts";
import { injectMessages, type Insertion } from "../compose/inject.ts";

/** What is transformed of a call: every message has a role and a text or a list of parts. */
interface Call {
  prompt: { role: string; content: unknown }[];
}

/** A middleware for language models of the AI SDK 6, as `wrapLanguageModel` takes it. */
export interface SkillwardMiddleware {
  readonly specificationVersion: "v3";
  readonly transformParams: <Params extends Call>(options: { readonly params: Params }) => Promise<Params>;
}

export interface MiddlewareOptions {
  /** Told what could not be put in, such as for a prompt without a user message (invariant 6). */
  readonly onFindings?: (findings: readonly Finding[]) => void;
}

/**
 * CO-17: puts a composition into every call of a model in this process. The block becomes a leading text part of the
 * first user message, the block for the system a message of its own behind the leading system messages; nothing else
 * changes. A function is asked at each call. Models for embeddings are other models and stay untouched (CO-9).
 */
export function skillwardMiddleware(
  composition: Insertion | (() => Insertion | Promise<Insertion>),
  { onFindings }: MiddlewareOptions = {},
): SkillwardMiddleware {
  return {
    specificationVersion: "v3",
    transformParams: async ({ params }) => {
      const insertion = typeof composition === "function" ? await composition() : composition;
      const { messages, findings } = injectMessages(params.prompt, insertion);
      if (findings.length > 0) onFindings?.(findings);
      return { ...params, prompt: [...messages] };
    },
  };
}
