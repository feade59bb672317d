import { AsyncLocalStorage } from "node:async_hooks";
import { createMutex } from "../core/async.ts";
import type { Execute } from "./queries.ts";

/** One transaction, from its beginning to its end. */
export interface Turn {
  isOpen: boolean;
  /** The first statement of it that failed. */
  fault: { readonly error: unknown } | null;
}

export type InTurn = <Result>(act: (turn: Turn) => Promise<Result>) => Promise<Result>;

/** The transactions that something was begun in, the innermost first: at most one of each store. */
interface Around {
  readonly store: InTurn;
  readonly turn: Turn;
  readonly outer: Around | undefined;
}

/** One for all stores: Node pays for each at every promise, and never forgets one. */
const around = new AsyncLocalStorage<Around>();

/** The transactions of this process, one after the other; between processes the engine sees to it. */
export function createTransactions(): InTurn {
  const inTurn = createMutex();
  const store: InTurn = async (act) => {
    const outer = openAround();
    // It would wait for its own end, forever.
    if (isOpenIn(outer, store)) throw new Error("a transaction was begun inside another one");
    return inTurn(async () => {
      const turn: Turn = { isOpen: true, fault: null };
      try {
        return await around.run({ store, turn, outer }, () => act(turn));
      } finally {
        turn.isOpen = false;
      }
    });
  };
  return store;
}

/** Those that have ended are let go: what was begun in one and begins others would keep them all. */
function openAround(): Around | undefined {
  let each = around.getStore();
  while (each?.turn.isOpen === false) each = each.outer;
  return each;
}

function isOpenIn(begun: Around | undefined, store: InTurn): boolean {
  for (let each = begun; each !== undefined; each = each.outer)
    if (each.store === store && each.turn.isOpen) return true;
  return false;
}

/** The statements of one transaction. After its end they would belong to no transaction, or to another one. */
export function statementsOf(turn: Turn, execute: Execute): Execute {
  return async (sql, parameters) => {
    if (!turn.isOpen) throw new Error("the transaction is over: its port cannot be used any more");
    try {
      return await execute(sql, parameters);
    } catch (error) {
      turn.fault ??= { error };
      throw error;
    }
  };
}

/** All or nothing, also when a fault was caught on the way: PostgreSQL would commit nothing, SQLite all the rest. */
export function demandFaultless({ fault }: Turn): void {
  if (fault !== null) throw fault.error;
}
