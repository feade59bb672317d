import type { Desk, Terminal } from "./desk.ts";
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
  const stop = listen(terminal, session);
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

/** Takes the keyboard; returns how to give it back. A terminal that goes away has left. */
function listen(terminal: Terminal, session: Session): () => void {
  const { input, output } = terminal;
  const onData = (chunk: string | Buffer) => session.onChunk(String(chunk));
  const leave = () => session.leave();
  const stops = [terminal.onResize(() => session.onResize()), terminal.onInterrupt(leave)];
  input.setRawMode?.(true);
  input.setEncoding("utf8");
  for (const event of ["end", "close", "error"]) input.on(event, leave);
  output.on("error", leave);
  input.on("data", onData).resume();
  return () => {
    for (const event of ["end", "close", "error"]) input.off(event, leave);
    output.off("error", leave);
    input.off("data", onData).pause();
    input.setRawMode?.(false);
    for (const stop of stops) stop();
  };
}
