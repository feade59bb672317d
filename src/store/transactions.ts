import { AsyncLocalStorage } from "node:async_hooks";
import { createTurns } from "../base/turns.ts";
import type { Execute } from "./queries.ts";

/** One transaction, from its beginning to its end. */
export interface Turn {
  isOpen: boolean;
  /** The first statement of it that failed. */
  fault: { readonly error: unknown } | null;
}

export type InTurn = <Result>(act: (turn: Turn) => Promise<Result>) => Promise<Result>;

/** The transactions of this process, one after the other; between processes the engine sees to it. */
export function createTransactions(): InTurn {
  const inTurn = createTurns(1);
  const around = new AsyncLocalStorage<Turn>();
  return async (act) => {
    // It would wait for its own end, forever.
    if (around.getStore()?.isOpen === true) throw new Error("a transaction was begun inside another one");
    return inTurn(async () => {
      const turn: Turn = { isOpen: true, fault: null };
      try {
        return await around.run(turn, () => act(turn));
      } finally {
        turn.isOpen = false;
      }
    });
  };
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
