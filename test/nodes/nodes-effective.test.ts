import { describe, expect, inject, onTestFinished, test } from "vitest";
import { bundleChild } from "../support/bundle.ts";
import { NodeRoom, type RunningNode } from "./node-room.ts";
import { createDatabase, dropDatabase } from "../support/postgres.mjs";
import { forRun } from "../support/long-run.ts";

const program = bundleChild("src/cli/bin.ts");
const tries = forRun({ short: 12, long: 100 });

async function room(): Promise<NodeRoom> {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => dropDatabase(database));
  return NodeRoom.create(database, program());
}

/** How often each way was asked until it showed what was said, and how long the last took from the word on. */
interface Seen {
  readonly asks: number;
  readonly milliseconds: number;
}

/** Asks until it is so. Whoever asks after the word was given is to see it at once; 1 s is the promise (SV-7). */
async function until(isSo: () => Promise<boolean>): Promise<Seen> {
  const start = performance.now();
  for (let asks = 1; ; asks++) {
    if (await isSo()) return { asks, milliseconds: performance.now() - start };
    if (performance.now() - start > 30_000) throw new Error("it never came about");
  }
}

describe("SV-7, RV-10: two nodes on one PostgreSQL", () => {
  test(`a word that is given on one holds on the other, ${tries} times: gateway, API and MCP, with the first request`, async () => {
    const shared = await room();
    const [one, other] = await Promise.all([shared.start("one"), shared.start("other")]);
    const ways = async (node: RunningNode) => {
      const load = await node.mcpLoader();
      return [() => node.prompt(), () => node.apiPrompt(), () => load("drawing")];
    };
    const both = [...(await ways(one)), ...(await ways(other))];
    const seen: Seen[] = [];
    for (let turn = 0; turn < tries; turn++) {
      const isIn = turn % 2 === 1;
      const said = await (turn % 4 < 2 ? one : other).say(isIn ? "approve" : "disable", "skills:drawing");
      expect([turn, said.status, said.text]).toEqual([turn, 200, expect.anything()]);
      const shows = both.map((ask) => until(async () => (await ask()).includes("Draw boldly.") === isIn));
      seen.push(...(await Promise.all(shows)));
    }
    const times = seen.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
    const at = (part: number) => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1);
    console.log(`from the word to the answer that shows it, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`);
    expect(seen.filter(({ asks }) => asks > 1)).toEqual([]);
    expect(seen).toHaveLength(both.length * tries);
  });
});
