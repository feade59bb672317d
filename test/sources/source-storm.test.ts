import { expect, test } from "vitest";
import type { FaultKind } from "../../src/testing/github/script.ts";
import { type Random, seeded, shuffled } from "../support/crash-skills.ts";
import { added, noted, remoteRegistry } from "../support/remote.ts";
import { boundSeconds, hurriedTimer } from "./source-oracle.ts";
import { Publisher } from "./source-publisher.ts";
import { rowsOf, Storm } from "./source-storm.ts";
import { forRun } from "../support/long-run.ts";

/** To try other storms, set another one. */
const seed = Number(process.env["STORM_SEED"] ?? 5);
const rounds = forRun({ short: 25, long: 100 });

const elsewhere = "https://elsewhere.example/";
const soon = String(Date.UTC(2026, 0, 1, 1) / 1000);

/** All ways in which an answer can be wrong, one as likely as the other. */
const kinds: readonly FaultKind[] = [
  { status: 403 },
  { status: 403, headers: { "retry-after": "30" } },
  { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": soon } },
  { status: 429 },
  { status: 429, headers: { "retry-after": "30" } },
  { status: 500 },
  { status: 502, body: "<!doctype html><title>Bad gateway</title>" },
  { status: 503 },
  { status: 503, headers: { "retry-after": "30" } },
  { status: 404 },
  { status: 304 },
  { redirect: 301, to: elsewhere },
  { redirect: 302, to: elsewhere },
  { redirect: 307, to: elsewhere },
  "flip",
  "swap-length",
  "short-length",
  "cut",
  "not-json",
  "stall",
  "drip",
  "endless",
  "bomb",
];

const rate = 0.2;

/** Whether an answer is wrong is luck; in which way goes around, so that none is left out. */
function stormy(random: Random): () => number {
  let [isSecond, isWrong, order]: [boolean, boolean, number[]] = [true, false, []];
  return () => {
    isSecond = !isSecond;
    const luck = random(2 ** 20) / 2 ** 20;
    if (!isSecond) isWrong = luck < rate;
    if (!isSecond || !isWrong) return luck;
    if (order.length === 0) order = shuffled([...kinds.keys()], random);
    return ((order.pop() ?? 0) + 0.5) / kinds.length;
  };
}

test(`T7, T8, IN-8, IN-11, IN-21: ${2 * rounds} syncs while a fifth of all answers is wrong (seed ${seed})`, async () => {
  const timer = hurriedTimer();
  const { github, app, folder } = await remoteRegistry({ world: { timer } });
  const random = seeded(seed);
  const publisher = new Publisher(random);
  await publisher.start(github);
  for (const id of ["skills", "market"]) {
    const wishes = { id, onChange: "hold", maxSeconds: boundSeconds } as const;
    expect(await added(app, `acme/${id}`, wishes)).toMatchObject({ status: "ok" });
  }
  const storm = new Storm(app, github, publisher, random);
  const taken = new Map<FaultKind, number>();
  const faults = kinds.map((kind) =>
    noted({ how: kind }, (how) => {
      taken.set(how, (taken.get(how) ?? 0) + 1);
      if (how === "stall" || how === "drip") setTimeout(() => timer.expire(), 10);
    }),
  );
  const weather = stormy(seeded(seed + 1));
  for (let round = 0; round < rounds; round++) {
    await storm.approve();
    for (const id of ["skills", "market"] as const) {
      if (random(3) > 0) await publisher.change(id);
      folder.clock.advance(60_000);
      github.misbehave({ rate, random: weather, faults });
      await publisher.meddled(() => storm.sync(id));
      github.misbehave(null);
      github.release();
    }
  }
  expect([...taken.keys()].length).toBe(kinds.length);
  for (const outcome of ["ok", "partial", "source.limited", "digest.mismatch", "upstream.invalid", "upstream.timeout"])
    expect([outcome, storm.met.get(outcome)]).toEqual([outcome, expect.any(Number)]);

  for (const id of ["skills", "market"] as const) {
    expect(await storm.sync(id)).toMatchObject({ status: "ok" });
    const entries = (await rowsOf(app, id)).entries;
    for (const [path, place] of publisher.present(id)) {
      publisher.upstream.expectBundle((await app.registry.open(entries.get(path)?.current ?? "")).bundle, place);
    }
  }
});
