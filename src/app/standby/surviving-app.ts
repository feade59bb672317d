import type { AppError } from "../../core/error.ts";
import { createRegistry, type Registry } from "../../registry/registry.ts";
import type { StoreReads } from "../../store/store.ts";
import type { App } from "../app.ts";
import type { ServingReads } from "./reserve.ts";

interface Parts {
  /** Answered from the store or, while it is away, without it. */
  readonly reads: ServingReads;
  readonly look: Registry["look"];
  /** Why nothing else can be asked of the store now; undefined: it can. */
  readonly fault: () => AppError | undefined;
}

/** The same app in which reads that serving takes go on without the store, and everything else fails at once. */
export function survivingApp(app: App, { reads, look, fault }: Parts): App {
  const kept: App["kept"] = {
    ...app.kept,
    read: readsOf(app.kept.read, reads, fault),
    async transaction(act) {
      const away = fault();
      if (away !== undefined) throw away;
      return app.kept.transaction(act);
    },
  };
  const { keys, config, sync, review, accounts, llm } = app;
  const registry = { ...createRegistry({ kept, keys, decisionsNeeded: config.review.decisions }), look };
  const standingOf = async (entry: string) => (await look()).snapshot.standings.get(entry);
  return {
    ...app,
    kept,
    registry,
    sync: { ...sync, kept, registry },
    review: { ...review, kept },
    accounts: { ...accounts, kept },
    llm: { ...llm, kept, standingOf },
  };
}

function readsOf(store: StoreReads, serving: ServingReads, fault: Parts["fault"]): StoreReads {
  return new Proxy(store, {
    get(reads, name): unknown {
      if (Object.hasOwn(serving, name)) return Reflect.get(serving, name);
      const away = fault();
      return away === undefined ? Reflect.get(reads, name) : async () => Promise.reject(away);
    },
  });
}
