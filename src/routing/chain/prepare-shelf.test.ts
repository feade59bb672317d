import { describe, expect, it } from "vitest";
import { chainOf, fakeIndex, link, shelfOf, type Stocked, usual } from "../../../test/support/route-room.ts";
import type { Timer } from "../../core/world.ts";
import { createChain } from "./chain.ts";
import { ownLinks } from "../default-chain.ts";
import type { Document } from "../index/lexical-index.ts";
import type { Link } from "../link.ts";
import { createShelf, type Shelf } from "../shelf.ts";

const links = Object.values(ownLinks);

const skill = (at: number): Stocked => ({
  id: `s:${at}`,
  name: `skill-${at}`,
  trust: at % 2 === 0 ? "verified" : "community",
  declared: { aliases: [`alias-${at}`], triggers: [`do thing ${at}`], paths: [`*.t${at}`] },
});
const stock = (count: number) => Array.from({ length: count }, (_, at) => skill(at));

/** A shelf, and the digests that were read of its index. */
function watched(skills: readonly Stocked[], before?: Shelf): { readonly shelf: Shelf; readonly read: string[] } {
  const read: string[] = [];
  const { entries, index } = shelfOf(skills, (documents: readonly Document[]) => {
    const inner = fakeIndex(documents);
    return { ...inner, declaredBy: (digest) => (read.push(digest), inner.declaredBy(digest)) };
  });
  return { shelf: createShelf({ entries, index, triggers: new Map(), before }), read };
}

/** Each look at the clock takes two milliseconds; `onTurn` is what others do when they have their turn. */
function slowWorld(onTurn: () => unknown = () => {}) {
  let [now, turns] = [0, 0];
  const timer: Timer = {
    after: async () => {
      turns++;
      await onTurn();
    },
    every: () => ({ stop() {} }),
  };
  return { clock: { now: () => (now += 2) }, timer, turns: () => turns };
}

function chainIn(world: ReturnType<typeof slowWorld>, of: readonly Link[] = links) {
  return createChain(of, { ...world, thresholds: usual });
}

const queries = [
  ["skill-7", "s:7"],
  ["alias-8", "s:8"],
  ["please do thing 8 now", "s:8"],
  ["look at main.t8", "s:8"],
] as const;

describe("preparing a shelf (RT-6)", () => {
  it("others have their turn every few milliseconds, and what is found is the same", async () => {
    const world = slowWorld();
    const { shelf } = watched(stock(400));
    await chainIn(world).prepare(shelf);
    expect(world.turns()).toBeGreaterThan(30);
    for (const [query, entry] of queries) {
      const prepared = await chainOf(links).route(shelf, query, {});
      expect(prepared.matches[0]?.entry).toBe(entry);
      expect(prepared).toEqual(await chainOf(links).route(watched(stock(400)).shelf, query, {}));
    }
  });

  it("reads what is declared once, and of skills that are not heard nothing", async () => {
    const { shelf, read } = watched(stock(100));
    await chainIn(slowWorld()).prepare(shelf);
    expect(read).toHaveLength(50);
    for (const [query] of queries) await chainOf(links).route(shelf, query, {});
    await chainIn(slowWorld()).prepare(shelf);
    expect(read).toHaveLength(50);
  });

  it.each(queries)("whoever asks %j in the middle of it has a whole answer", async (query, entry) => {
    const { shelf, read } = watched(stock(400));
    const found: (string | undefined)[] = [];
    const world = slowWorld(async () => found.push((await chainOf(links).route(shelf, query, {})).matches[0]?.entry));
    await chainIn(world).prepare(shelf);
    expect(new Set(found)).toEqual(new Set([entry]));
    expect(read).toHaveLength(200);
  });

  it.each([1, 40])("ends with the reason of the signal, at turn %s", async (last) => {
    const leaving = new AbortController();
    let turn = 0;
    const world = slowWorld(() => ++turn === last && leaving.abort(new Error("closing")));
    await expect(chainIn(world).prepare(watched(stock(400)).shelf, leaving.signal)).rejects.toThrow("closing");
    expect(world.turns()).toBe(last);
  });

  it("RT-4: a link that cannot prepare leaves the others", async () => {
    const failing = link(
      "failing",
      {},
      {
        prepare() {
          throw new Error("broken");
        },
      },
    );
    const { shelf, read } = watched(stock(10));
    await chainIn(slowWorld(), [failing, ...links]).prepare(shelf);
    expect(read).toHaveLength(5);
  });

  it("what failed is made by whoever comes next", async () => {
    const { entries, index } = shelfOf(stock(10));
    let failures = 1;
    const flaky = {
      ...index,
      declaredBy(digest: string) {
        if (failures-- > 0) throw new Error("broken");
        return index.declaredBy(digest);
      },
    };
    const shelf = createShelf({ entries, index: flaky, triggers: new Map() });
    await chainIn(slowWorld(), [ownLinks.alias]).prepare(shelf);
    const { matches } = await chainOf([ownLinks.alias]).route(shelf, "alias-8", {});
    expect(matches).toMatchObject([{ entry: "s:8", link: "alias" }]);
  });
});

describe("the shelf after another (RT-6)", () => {
  it("reads only of what is new, and finds as if it had read all", async () => {
    const first = watched(stock(100));
    await chainIn(slowWorld()).prepare(first.shelf);
    const second = watched(stock(102).slice(10), first.shelf);
    await chainIn(slowWorld()).prepare(second.shelf);
    expect(second.read).toEqual([second.shelf.entries.get("s:100")?.digest]);
    for (const [query, entry] of [
      ["alias-100", "s:100"],
      ["alias-20", "s:20"],
    ] as const)
      expect((await chainOf(links).route(second.shelf, query, {})).matches[0]?.entry).toBe(entry);
    expect((await chainOf(links).route(second.shelf, "alias-8", {})).matches).toEqual([]);
  });

  it("T31: what the index has no more is not chosen because it was read before", async () => {
    const first = watched(stock(4));
    await chainIn(slowWorld()).prepare(first.shelf);
    const { shelf } = watched([...stock(2), { ...skill(2), indexed: false }, skill(3)], first.shelf);
    for (const options of [{}, { kinds: ["tool"] as const }])
      expect((await chainOf(links).route(shelf, "alias-2", options)).matches).toEqual([]);
  });

  it("does not remember for ever what is gone", async () => {
    let shelf: Shelf | undefined;
    for (let round = 0; round < 4; round++) {
      const skills = Array.from({ length: 400 }, (_, at) => ({ ...skill(at * 2), name: `round-${round}-${at}` }));
      shelf = watched(skills, shelf).shelf;
      await chainIn(slowWorld(), [ownLinks.alias]).prepare(shelf);
    }
    const again = Array.from({ length: 10 }, (_, at) => ({ ...skill(at * 2), name: `round-0-${at}` }));
    const last = watched(again, shelf);
    await chainIn(slowWorld(), [ownLinks.alias]).prepare(last.shelf);
    expect(last.read).toHaveLength(10);
  });
});
