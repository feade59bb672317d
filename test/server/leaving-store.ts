import type { App } from "../../src/app/app.ts";
import type { Timer } from "../../src/core/world.ts";

/** A timer that ticks when the test says so. */
export function handTimer(): Timer & { tick(): void } {
  const acts = new Set<() => void>();
  return {
    after: async () => {},
    every(_, act) {
      acts.add(act);
      return { stop: () => void acts.delete(act) };
    },
    tick: () => acts.forEach((act) => act()),
  };
}

/** A store that can be sent away and called back; what is asked of it meanwhile fails as it does when it is closed. */
export function leaving(app: App) {
  let isAway = false;
  const kept: App["kept"] = {
    ...app.kept,
    transaction: (act) => (isAway ? Promise.reject(new Error("database is not open")) : app.kept.transaction(act)),
  };
  return { app: { ...app, kept }, leave: () => (isAway = true), return: () => (isAway = false) };
}
