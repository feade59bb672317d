import { createHook } from "node:async_hooks";

/** Runs `act` and tells how many password hashes the thread pool was given meanwhile, and how many it had at once. */
export async function watchHashes(act: () => Promise<unknown>): Promise<{ started: number; mostAtOnce: number }> {
  const running = new Set<number>();
  let [started, mostAtOnce] = [0, 0];
  const hook = createHook({
    init(id, type) {
      if (type !== "SCRYPTREQUEST") return;
      running.add(id);
      started++;
      mostAtOnce = Math.max(mostAtOnce, running.size);
    },
    before: (id) => void running.delete(id),
  });
  hook.enable();
  try {
    await act();
  } finally {
    hook.disable();
  }
  return { started, mostAtOnce };
}
