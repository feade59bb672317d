import type { HttpBindings } from "@hono/node-server";
import { TooMany } from "../../features/http/statuses.ts";

type Outgoing = HttpBindings["outgoing"];

/** T41: what was answered to each principal and is still in memory, since its client does not read it. */
export class Unread {
  readonly #most: number;
  readonly #answers = new Map<string, Set<Outgoing>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws `request.too-many` while a principal leaves too much of it. */
  enter(principal: string, outgoing: Outgoing): void {
    const answers = this.#answers.get(principal) ?? new Set();
    const bytes = [...answers].reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (bytes > this.#most)
      throw new TooMany("this key has not read what it was answered already; read that, or end it, and ask again", 1);
    if (outgoing.closed) return;
    this.#answers.set(principal, answers.add(outgoing));
    outgoing.once("close", () => {
      answers.delete(outgoing);
      if (answers.size === 0) this.#answers.delete(principal);
    });
  }
}
