export interface Gate {
  /** True when it was opened, false when the client left before. */
  wait(client: AbortSignal): Promise<boolean>;
  /** Lets all who wait go on. */
  open(): void;
}

export function createGate(): Gate {
  const waiting = new Set<() => void>();
  return {
    wait: (client) =>
      new Promise((resolve) => {
        if (client.aborted) return resolve(false);
        const pass = (): void => {
          waiting.delete(pass);
          client.removeEventListener("abort", leave);
          resolve(true);
        };
        const leave = (): void => {
          waiting.delete(pass);
          resolve(false);
        };
        client.addEventListener("abort", leave, { once: true });
        waiting.add(pass);
      }),
    open() {
      for (const pass of waiting) pass();
    },
  };
}
