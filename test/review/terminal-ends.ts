import { PassThrough } from "node:stream";

/** Keyboard and screen of a terminal that is none, and who listens to its window and its signals. */
export function terminalEnds(columns: number, rows: number, show: (text: string) => void) {
  const raw: boolean[] = [];
  const written: string[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
  const listeners = {
    resize: new Set<() => void>(),
    interrupt: new Set<() => void>(),
    continued: new Set<() => void>(),
  };
  const output = Object.assign(new PassThrough(), {
    columns,
    rows,
    write(text: string) {
      written.push(text);
      show(text);
      return true;
    },
  });
  const listen = (to: Set<() => void>) => (listener: () => void) => {
    to.add(listener);
    return () => void to.delete(listener);
  };
  const listening = {
    onResize: listen(listeners.resize),
    onInterrupt: listen(listeners.interrupt),
    onContinue: listen(listeners.continued),
  };
  return { input, output, raw, written, listeners, listening };
}
