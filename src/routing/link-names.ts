/** The links that a chain can have, cheapest first (RT-2). */
export const linkNames = ["exact", "alias", "trigger", "paths", "lexical", "semantic", "rerank", "llm"] as const;

export type LinkName = (typeof linkNames)[number];
