import type { ClientOptions } from "@modelcontextprotocol/client";

/** Hosts of both kinds: the client's default speaks 2025-11-25 in a session, the other one 2026-07-28 without. */
export const eras = {
  "2025-11-25": {},
  "2026-07-28": { versionNegotiation: { mode: "auto" } },
} as const satisfies Record<string, ClientOptions>;

export type Era = keyof typeof eras;
