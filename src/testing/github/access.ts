import type { Repository } from "./repository.ts";

/** A private repository is there for its token alone. */
export function mayRead({ access }: Repository, token: string | undefined): boolean {
  return access === undefined || access.token === token;
}
