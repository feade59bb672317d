/** What the description of the API says that no schema does. */

/** A key, or the session of a browser, whose writes carry its token too (T37). */
export const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key." },
  header: { type: "apiKey", in: "header", name: "x-api-key", description: "The same." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-skillward",
    description: "Of whoever is signed in; on plain HTTP at loopback it is called `skillward`.",
  },
  token: {
    type: "apiKey",
    in: "header",
    name: "x-skillward-token",
    description: "As `GET /api/session` says it; with every write of a session.",
  },
} as const;

export function securityOf(method: string): Record<string, string[]>[] {
  return [{ bearer: [] }, { header: [] }, method === "get" ? { session: [] } : { session: [], token: [] }];
}

/** `POST /api/sources/{id}/sync` is `postSourcesByIdSync`. */
export function operationId(method: string, path: string): string {
  const words = path.replace(/^\/(?:api\/)?/, "").match(/\w+|[{]/g) ?? [];
  const names = words.map((word) => (word === "{" ? "By" : word.charAt(0).toUpperCase() + word.slice(1)));
  return method + names.join("");
}
