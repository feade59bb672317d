import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { auditContract } from "./store-contract/audit.ts";
import { entriesContract } from "./store-contract/entries.ts";
import { publishedContract } from "./store-contract/published.ts";
import { readersContract } from "./store-contract/readers.ts";
import { remoteContract } from "./store-contract/remote.ts";
import { revisionsContract } from "./store-contract/revisions.ts";
import type { Room } from "./store-contract/room.ts";
import { routeContract } from "./store-contract/route.ts";
import { accountsContract, llmContract, sessionsContract, syncContract } from "./store-contract/rooms.ts";
import { textsContract } from "./store-contract/texts.ts";
import { transactionsContract } from "./store-contract/transactions.ts";
import { usageContract } from "./store-contract/usage.ts";
import { usageCountsContract } from "./store-contract/usage-counts.ts";
import type { StorePlace } from "../support/store-engines.ts";

const parts = [
  entriesContract,
  revisionsContract,
  auditContract,
  usageContract,
  usageCountsContract,
  syncContract,
  remoteContract,
  accountsContract,
  sessionsContract,
  llmContract,
  routeContract,
  publishedContract,
  readersContract,
  textsContract,
  transactionsContract,
];

/** What every engine must do, for every port there is (RV-11): one suite, on a new store for every test. */
export function storeContract(name: string, newPlace: () => Promise<StorePlace>): void {
  describe(`the store on ${name}`, () => {
    const asked = new Set<string>();
    let room: Room;

    beforeEach(async () => {
      const place = await newPlace();
      room = { place, store: overheard(await place.open(), asked) };
    });

    afterEach(async () => {
      await room.store.close();
      await room.place.remove();
    });

    for (const part of parts) part(() => room);

    it("RV-11: and this suite asks for every method of every port", async () => {
      const methods = await room.store.transaction(async (port) => Object.keys(port));
      expect(methods.length).toBeGreaterThan(50);
      expect(methods.filter((method) => !asked.has(method))).toEqual([]);
    });
  });
}

/** The same store; the methods that tests ask for are noted. */
function overheard(store: Store, asked: Set<string>): Store {
  const listening = <Port extends object>(port: Port) =>
    new Proxy(port, {
      get(target, method) {
        asked.add(String(method));
        return Reflect.get(target, method);
      },
    });
  return {
    ...store,
    read: listening(store.read),
    transaction: (act) => store.transaction((port) => act(listening(port))),
  };
}
