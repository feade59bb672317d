import { takeKeyboard, type Terminal } from "../terminal.ts";
import type { Desk } from "./desk.ts";
import { Session } from "./session.ts";

interface Outcome {
  /** Entries that were approved or rejected. */
  readonly decided: number;
  /** Entries that wait still, as far as was last seen. */
  readonly left: number;
}

/**
 * A reviewer's desk on the whole screen of a terminal, until the person leaves. Whatever ends it, the terminal is as it
 * was before; a decision that is just being signed is waited for.
 */
export async function reviewAtTerminal(desk: Desk, terminal: Terminal): Promise<Outcome> {
  const session = await untilOver(desk, terminal);
  const { decided, queue } = await session.lastState();
  return { decided, left: queue === null ? 0 : queue.items.length + queue.more };
}

async function untilOver(desk: Desk, terminal: Terminal): Promise<Session> {
  const { promise, resolve, reject } = promised();
  const session = new Session(desk, terminal, (fault) => (fault === undefined ? resolve() : reject(fault)));
  const stop = takeKeyboard(terminal, session);
  try {
    session.begin();
    await promise;
    return session;
  } finally {
    session.close();
    stop();
  }
}

function promised() {
  let [resolve, reject] = [() => {}, (_fault: unknown) => {}];
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}
