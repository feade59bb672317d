import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { keepEvaluation, listEvaluations, showEvaluation } from "../../src/features/evaluation/flow.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { approveSkills, auditLength, done } from "../support/api-use.ts";
import { appHome } from "../support/app-home.ts";
import { heldDisk } from "./held-disk.ts";
import { ada, RegistryFolder } from "../support/registry.ts";
import { asPerson } from "../../src/app/as-person.ts";

const golden = [
  { query: "/sailing", expected: "sailing" },
  { query: "how do I feed a sourdough starter with flour", expected: ["skills:baking"], kind: "words" },
  { query: "/baking", not: ["sailing"] },
  { query: "qwertz uiop", expected: null, note: "nothing fits" },
];

let room: ApiRoom;
const disk = heldDisk();
const folder = new RegistryFolder({ world: { files: disk.files } });
beforeAll(async () => {
  room = await openApiRoom({ registry: { folder, app: await folder.open() } });
  await approveSkills(room, {
    sailing: "Tie a bowline to moor a sailing boat with a rope.\n",
    baking: "Feed the sourdough starter with flour before baking bread.\n",
  });
});
afterAll(async () => {
  await room.close();
  await folder.remove();
});

function run(title: string, lines: readonly unknown[] = golden, key = room.keyOf("operator")) {
  return room.call("POST", "/api/evaluations", { key, json: { title, golden: lines } });
}

describe("RT-8: evaluations are measured and kept", () => {
  test("RT-8: a run is kept with who, when and at which generation; the list has its figures, the latest first", async () => {
    const generation = await room.app.kept.read.generation();
    const first = (await run("the first")).json();
    room.folder.clock.advance(1000);
    const second = (await run("the second")).json();
    expect(first).toMatchObject({
      title: "the first",
      by: "key:a-operator",
      generation,
      figures: { queries: 4, pAt1: 1, mrr: 1, coverage: 1, falseFires: 0 },
      report: { n: 4, positives: 2, p1: 1, abstention: { negatives: 2, fired: 0 } },
    });
    expect(first.report.curve.points.length).toBeGreaterThan(1);
    const { report, ...line } = second;
    const listed = await done(room, "GET", "/api/evaluations", undefined, room.keyOf("reader"));
    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(listed.items[0]).toEqual(line);
    expect(await done(room, "GET", `/api/evaluations/${second.id}`)).toEqual({ ...line, report });
    // It changes nothing that anyone uses, and is in the chain all the same.
    expect(await room.app.kept.read.generation()).toBe(generation);
    const { items } = await done(room, "GET", "/api/audit?act=evaluation.kept");
    expect(items.map(({ subject, by }: { subject: string; by: string }) => [subject, by])).toEqual([
      [second.id, "key:a-operator"],
      [first.id, "key:a-operator"],
    ]);
    expect(JSON.parse(items[0].details)).toEqual({ title: "the second", generation, ...line.figures });
  });

  test("RT-8: the list comes in pages", async () => {
    const all = (await done(room, "GET", "/api/evaluations")).items;
    const first = await done(room, "GET", "/api/evaluations?limit=1");
    expect(first).toEqual({ items: all.slice(0, 1), next: all[0].id });
    const rest = await done(room, "GET", `/api/evaluations?limit=500&before=${first.next}`);
    expect(rest).toEqual({ items: all.slice(1), next: null });
  });

  test("RT-8: what was taken for what is in the report", async () => {
    const wrong = [{ query: "/sailing", expected: "baking" }];
    const { report, figures } = (await run("confused", wrong)).json();
    expect(figures).toMatchObject({ pAt1: 0, falseFires: null });
    expect(report.confusions).toMatchObject([{ expected: "skills:baking", chosen: "skills:sailing", count: 1 }]);
    expect(report.misses).toMatchObject([{ at: "golden 1", query: "/sailing", expected: ["skills:baking"] }]);
  });

  test.each([
    [[{ query: "a", expected: "nobody" }], 'golden 1: expected: no skill "nobody" among the 2'],
    [[golden[0], { query: "a" }], 'golden 2: has neither "expected" nor "not"'],
    [[{ query: "a", expected: "sailing", not: ["baking"] }], "has both"],
    [[{ query: " ", expected: null }], "query: expected 1 to 65536 characters"],
    [[{ query: "a", expected: null }], "no line expects a skill"],
    [[{ query: "a", expected: [] }], "expected"],
    [[{ query: "a", expect: "sailing" }], 'does not know "expect"'],
    [[], "golden:"],
    [Array.from({ length: 2001 }, () => golden[0]), "golden:"],
  ])(
    "RT-8: a set that cannot be meant as it stands is refused as a file of it is, and nothing is kept: %j",
    async (lines, words) => {
      const before = await auditLength(room);
      const refused = await run("refused", lines);
      expect([refused.status, refused.json().code]).toEqual([400, "usage.invalid"]);
      expect(refused.json().detail).toContain(words);
      expect(await auditLength(room)).toBe(before);
    },
  );

  test.each(["", " a", "two\nlines", "x".repeat(121), "hid\u200bden"])("RT-8: %j is no title", async (title) => {
    expect((await run(title)).status).toBe(400);
  });

  test("RV-12: a reader looks and runs none; whoever is limited does not even look", async () => {
    const before = await auditLength(room);
    expect((await run("mine", golden, room.keyOf("reader"))).status).toBe(403);
    expect(await auditLength(room)).toBe(before);
    expect((await room.call("GET", "/api/evaluations/ev_000000000000ffffffff")).status).toBe(404);
  });

  test("T41: one runs at a time; another one is told so, and comes through afterwards", async () => {
    disk.hold(folder.checkpoints);
    const first = run("one");
    await disk.held();
    const second = await run("two");
    expect([second.json().code, second.headers["retry-after"]]).toEqual(["request.too-many", "5"]);
    disk.goOn();
    expect([(await first).status, (await run("three")).status]).toEqual([200, 200]);
  });

  test("T17: a row that was changed by hand spoils itself and no other", async () => {
    room.folder.clock.advance(1000);
    const { id } = (await run("spoilt")).json();
    room.folder.sql("UPDATE evaluations SET line = '{', report = '[1]' WHERE id = ?", id);
    const { items } = await done(room, "GET", "/api/evaluations");
    expect(items[0]).toMatchObject({ id, title: "cannot be read: it was changed by hand" });
    expect(items.map(({ title }: { title: string }) => title)).toContain("three");
    expect((await room.call("GET", `/api/evaluations/${id}`)).status).toBe(503);
  });
});

test.each(["SQLite", "PostgreSQL"] as const)(
  "RT-8: what was kept is there after all was closed, on %s",
  async (engine) => {
    const { report } = (await run("to be kept elsewhere")).json();
    const home = await appHome(engine);
    const app = asPerson(await home.open(), ada);
    const kept = await keepEvaluation(app, { title: "Ünicode", generation: 7, report });
    for (let more = 0; more < 3; more++) {
      home.clock.advance(1);
      await keepEvaluation(app, { title: `later ${more}`, generation: 8, report });
    }
    await home.close();
    const again = await home.open();
    onTestFinished(() => again.close());
    const { items, next } = await listEvaluations(again, { limit: 4 });
    expect([items.map(({ title }) => title), next]).toEqual([["later 2", "later 1", "later 0", "Ünicode"], null]);
    expect(items.at(-1)).toEqual(kept);
    expect(await showEvaluation(again, kept.id)).toEqual({ ...kept, report });
  },
);
