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
