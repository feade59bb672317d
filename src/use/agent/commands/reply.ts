import type { Reply } from "../agent-event.ts";
import type { CommandResult } from "./command.ts";

export function answer(reply: Reply): CommandResult {
  return { is: "reply", reply };
}

/** Nothing was done: each note says why, or what to do. */
export function refuse(...notes: readonly string[]): CommandResult {
  return answer({ isError: true, notes });
}

export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

const mostShown = 500;

/** A list as long as a person reads, and a note of how many are not in it. */
export function cutList<Item>(
  items: readonly Item[],
  thing: string,
): { readonly shown: readonly Item[]; readonly notes: readonly string[] } {
  const left = items.length - mostShown;
  return { shown: items.slice(0, mostShown), notes: left > 0 ? [`and ${countOf(left, `more ${thing}`)}`] : [] };
}
