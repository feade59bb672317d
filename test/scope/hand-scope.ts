import { parseForbidden, parsePattern } from "../../src/scope/tools/patterns.ts";
import type { Scope } from "../../src/scope/scope.ts";

/** A scope of one group, written by hand as a skill would write it. */
export function handScope(allowed: "*" | readonly string[], forbidden: readonly string[] = []): Scope {
  return {
    skills: [],
    groups: [
      {
        skills: ["acme/deploy"],
        allowed: allowed === "*" ? "*" : allowed.map(parsePattern).filter((pattern) => pattern !== null),
      },
    ],
    forbidden: forbidden.map((text) => ({ ...parseForbidden(text), by: ["acme/deploy"] })),
    protocol: [],
  };
}
