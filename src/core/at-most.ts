import type { Timer } from "./world.ts";

/** Waits for something that never fails, but not for longer than this. */
export function atMost(timer: Timer, milliseconds: number, something: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const late = timer.every(milliseconds, resolve);
    void something.finally(() => {
      late.stop();
      resolve();
    });
  });
}
