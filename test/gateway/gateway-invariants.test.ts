import { describe, expect, onTestFinished, test } from "vitest";
import { bundleChild, type Child, endChildrenAfterEach, startChild } from "../support/bundle.ts";
import type { DecidingOrder, Held } from "./gateway-deciding.child.ts";
import { type Gateway, type Passed, type SkillName, TamperedStore } from "../support/gateway-tampered.ts";

/** Another one every time; to see a failure again, set the one in its name. */
const seed = Number(process.env["INVARIANTS_SEED"] ?? Date.now() % 1_000_000);

describe.each(["SQLite", "PostgreSQL"] as const)("invariant 8, while another process decides, on %s", (engine) => {
  const child = bundleChild("test/gateway/gateway-deciding.child.ts");
  endChildrenAfterEach();

  const names = ["writing", "drawing", "counting", "retired", "spare"] as const;

  test(`each prompt is that of the generation that its header names (seed ${seed})`, async () => {
    const store = await TamperedStore.create(engine);
    onTestFinished(() => store.remove());
    const gateway = await store.serve();
    onTestFinished(() => gateway.close());
    const deciding = decideIn(store);
    await deciding.begun;
    const answers = await askAll(gateway, 150);
    const held = await deciding.end();

    for (const { question, generation, status, received, record } of answers) {
      const { attached, usable } = held.get(generation) ?? { attached: [], usable: [] };
      const [included, dropped] = [attached.filter(isIn(usable)), attached.filter((entry) => !isIn(usable)(entry))];
      const given = { included: entriesOf(record?.included), dropped: entriesOf(record?.dropped) };
      expect({ question, generation, ...given }).toEqual({ question, generation, included, dropped });
      expect({ status, generation: record?.generation }).toEqual({ status: 200, generation });
      expect(record?.findings.filter(({ code }) => code !== "compose.unusable")).toEqual([]);
      expect(received).toBe(gateway.expected(included.map(nameOf), "community", question));
    }
  });

  function decideIn({ environment }: TamperedStore) {
    const order: DecidingOrder = { environment, entries: names.map((name) => `skills:${name}`), seed };
    const deciding = startChild(child(), order);
    const held = new Map<number, Held>();
    const begun = hearHeld(deciding, held).then(() => deciding.tell("begin"));
    const ended = begun.then(() => hearAll(deciding, held));
    return {
      begun,
      async end(): Promise<ReadonlyMap<number, Held>> {
        deciding.tell("end");
        await ended;
        return held;
      },
    };
  }
});

/** What held in a generation, by whoever made it; false when there is no more. */
async function hearHeld(deciding: Child, held: Map<number, Held>): Promise<boolean> {
  const said = await deciding.hear();
  if (said === "done") return false;
  const each = said as Held;
  held.set(each.generation, each);
  return true;
}

async function hearAll(deciding: Child, held: Map<number, Held>): Promise<void> {
  while (await hearHeld(deciding, held));
}

/** Four clients at once, until enough was asked, in enough generations. */
async function askAll(gateway: Gateway, count: number): Promise<(Passed & { question: string })[]> {
  const answers: (Passed & { question: string })[] = [];
  const generations = new Set<number>();
  let next = 0;
  const client = async () => {
    while (next < count || generations.size < 20) {
      const question = `Question ${next++}?`;
      const passed = await gateway.ask(question);
      generations.add(passed.generation);
      answers.push({ ...passed, question });
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  return answers;
}

function isIn(entries: readonly string[]): (entry: string) => boolean {
  return (entry) => entries.includes(entry);
}

function entriesOf(listed: readonly { readonly entry: string }[] = []): string[] {
  return listed.map(({ entry }) => entry);
}

function nameOf(entry: string): SkillName {
  return entry.slice("skills:".length) as SkillName;
}
