const signals = ["SIGINT", "SIGTERM"] as const;

/** When somebody wants the process to end: what is under way is finished first. The next signal, whichever, ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
