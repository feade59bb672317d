import type { Right } from "../registry/accounts/roles.ts";

/**
 * Who may call a route: anybody, any valid key (what it may use is then bound by its configurations), or a key whose
 * role has a right.
 */
export type Access = "anybody" | "key" | Right;

const gateway = [
  "POST /chat/completions",
  "POST /responses",
  "POST /completions",
  "POST /messages",
  "POST /messages/count_tokens",
  "POST /embeddings",
  "POST /moderations",
  "POST /audio/speech",
  "POST /audio/transcriptions",
  "POST /audio/translations",
  "POST /images/generations",
  "POST /images/edits",
  "POST /images/variations",
  "GET /models",
  "GET /models/:model",
];

/** Who is signed in, and accounts. */
const people: readonly [string, Access][] = [
  ["GET /api/session", "anybody"],
  ["POST /api/session", "anybody"],
  ["DELETE /api/session", "key"],
  ["PUT /api/session/password", "key"],
  ["POST /api/first", "anybody"],
  ["GET /api/users", "administer"],
  ["POST /api/users", "administer"],
  ["PATCH /api/users/:id", "administer"],
  ["DELETE /api/users/:id", "administer"],
  ["GET /api/keys", "administer"],
  ["POST /api/keys", "administer"],
  ["DELETE /api/keys/:id", "administer"],
  ["GET /auth/oidc", "anybody"],
  ["GET /auth/oidc/back", "anybody"],
];

/** From where skills come to what is used of them. */
const registry: readonly [string, Access][] = [
  ["GET /api/overview", "read"],
  ["GET /api/events", "read"],
  ["DELETE /api/demonstration", "administer"],
  ["GET /api/sources", "read"],
  ["POST /api/sources", "administer"],
  ["GET /api/sources/:id", "read"],
  ["PATCH /api/sources/:id", "administer"],
  ["DELETE /api/sources/:id", "administer"],
  ["POST /api/sources/:id/sync", "administer"],
  ["POST /api/sync", "administer"],
  ["GET /api/review", "read"],
  ["POST /api/review/approve-clean", "review"],
  ["GET /api/review/:entry", "read"],
  ["POST /api/review/:entry", "review"],
  ["GET /api/review/:entry/raw", "read"],
  ["GET /api/skills", "read"],
  ["GET /api/skills/:entry", "read"],
  ["GET /api/skills/:entry/text", "read"],
  ["GET /api/skills/:entry/diff", "read"],
  ["GET /api/skills/:entry/revisions", "read"],
  ["GET /api/skills/:entry/published", "read"],
  ["PUT /api/skills/:entry/published", "administer"],
  ["DELETE /api/skills/:entry/published", "administer"],
  ["GET /api/published", "read"],
  ["POST /api/skills/:entry/triggers", "administer"],
  ["DELETE /api/skills/:entry/triggers", "administer"],
  ["GET /api/triggers", "read"],
  ["GET /api/blocks", "read"],
  ["POST /api/blocks", "administer"],
  ["POST /api/blocks/lift", "administer"],
];

/** What requests are answered with, and what became of them. */
const use: readonly [string, Access][] = [
  ["GET /api/providers", "administer"],
  ["POST /api/providers", "administer"],
  ["GET /api/providers/:id", "administer"],
  ["PATCH /api/providers/:id", "administer"],
  ["DELETE /api/providers/:id", "administer"],
  ["PUT /api/providers/:id/secret", "administer"],
  ...["configurations", "tasks"].flatMap((kind): [string, Access][] => [
    [`GET /api/${kind}`, "read"],
    [`POST /api/${kind}`, "operate"],
    [`GET /api/${kind}/:id`, "read"],
    [`PATCH /api/${kind}/:id`, "operate"],
    [`DELETE /api/${kind}/:id`, "operate"],
    [`GET /api/${kind}/:id/attached`, "read"],
    [`PUT /api/${kind}/:id/attached/:entry`, "operate"],
    [`DELETE /api/${kind}/:id/attached/:entry`, "operate"],
  ]),
  ["POST /api/compose", "read"],
  ["POST /api/scopes/compose", "read"],
  ["POST /api/scopes/explain", "read"],
  ["GET /api/evaluations", "read"],
  ["POST /api/evaluations", "operate"],
  ["GET /api/evaluations/:id", "read"],
  ["GET /api/usage", "read"],
  ["GET /api/audit", "read"],
  ["POST /api/audit/verify", "read"],
  ["GET /api/audit/export", "read"],
  ["GET /api/where/:digest", "read"],
  ["GET /api/doctor", "administer"],
];

/** Doors beside the API. Pages are the same for everybody: what they show comes from the API. */
const beside: readonly [string, Access][] = [
  ["GET /", "anybody"],
  ["GET /assets/:file", "anybody"],
  ["GET /favicon.svg", "anybody"],
  ["POST /mcp", "key"],
  ["GET /mcp", "key"],
  ["DELETE /mcp", "key"],
  ["GET /.well-known/agent-skills/index.json", "anybody"],
  ["GET /.well-known/agent-skills/:name/:file", "anybody"],
];

/** T39: every route of every HTTP door. One that is not here does not exist, whatever was mounted. */
export const routes: ReadonlyMap<string, Access> = new Map<string, Access>([
  ["GET /healthz", "anybody"],
  ["GET /readyz", "anybody"],
  ["GET /metrics", "key"],
  ["GET /api/openapi.json", "key"],
  ["POST /api/complete", "key"],
  ["POST /api/chat", "key"],
  ["POST /api/translate", "key"],
  ["POST /api/embed", "key"],
  ["POST /api/tasks/:id/run", "key"],
  ["POST /api/route", "key"],
  ["GET /api/injections/:id", "read"],
  ...people,
  ...registry,
  ...use,
  ...beside,
  ...gateway.flatMap((route): [string, Access][] => [
    [route.replace(" ", " /v1"), "key"],
    [route.replace(" ", " /c/:configuration/v1"), "key"],
  ]),
]);

interface Mounted {
  readonly method: string;
  readonly path: string;
}

export function nameOfRoute({ method, path }: Mounted): string {
  return `${method} ${path}`;
}

/** Mounted routes that nobody has said anything about. `ALL` is what runs before a route. */
export function unlistedRoutes(mounted: readonly Mounted[]): string[] {
  const names = mounted.filter(({ method }) => method !== "ALL").map(nameOfRoute);
  return [...new Set(names)].filter((name) => !routes.has(name));
}
