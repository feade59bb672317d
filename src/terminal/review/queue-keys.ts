import { areasOf } from "./areas.ts";
import type { Key } from "../keys.ts";
import { listed, openEntry, type QueueState, readQueue, type State, stay, type Step, tell, within } from "./state.ts";

export function onQueueKey(state: State, { name }: Key): Step {
  const { queue } = state;
  if (name === "q") return { state, effects: [{ kind: "leave" }] };
  if (name === "?") return stay({ ...state, ask: { kind: "help", top: 0 } });
  if (name === "r") return readQueue(state);
  if (queue === null) return stay(state);
  const moved = movedBy(name, areasOf(state.size).list, listed(queue).length);
  if (moved !== undefined) return stay({ ...state, queue: moveBy(queue, moved) });
  switch (name) {
    case "/":
      return stay({ ...state, ask: { kind: "filter", field: queue.filter } });
    case "escape":
      return stay({ ...state, queue: { ...queue, filter: "", cursor: 0 } });
    case "enter": {
      const chosen = listed(queue)[queue.cursor];
      return chosen === undefined ? stay(state) : openEntry(state, chosen.entry);
    }
    case "c": {
      const count = queue.items.filter(({ clean }) => clean).length;
      if (count + queue.more === 0) return tell(state, "nothing that waits is clean: each needs a closer look");
      return stay({ ...state, ask: { kind: "clean", count, more: queue.more } });
    }
    default:
      return stay(state);
  }
}

function moveBy(queue: QueueState, by: number): QueueState {
  return { ...queue, cursor: within(queue.cursor + by, listed(queue).length) };
}

/** How far a key goes in a list or a text; undefined when it goes nowhere. */
export function movedBy(name: string, page: number, all: number): number | undefined {
  switch (name) {
    case "j":
    case "down":
      return 1;
    case "k":
    case "up":
      return -1;
    case " ":
    case "pagedown":
      return Math.max(1, page - 1);
    case "b":
    case "pageup":
      return -Math.max(1, page - 1);
    case "g":
    case "home":
      return -all;
    case "G":
    case "end":
      return all;
    default:
      return undefined;
  }
}
