import { expect, test } from "vitest";
import { injection } from "../../../test/store/store-contract/rows.ts";
import { WaitingInjections } from "./usage-log.ts";

test("CO-16: what waits is found until it is settled", () => {
  const waiting = new WaitingInjections();
  const [one, other] = [injection("one"), injection("other")];
  waiting.add(one);
  waiting.add(other);
  waiting.settle([one, injection("unknown")]);
  expect([waiting.find("one"), waiting.find("other")]).toEqual([undefined, other]);
});

test("RV-8: memory is bounded by how many wait and by what they list; the oldest go", () => {
  const waiting = new WaitingInjections();
  for (let number = 0; number < 10_010; number++) waiting.add(injection(`inj_${number}`));
  expect([waiting.find("inj_9"), waiting.find("inj_10")?.id]).toEqual([undefined, "inj_10"]);
  const dropped = Array.from({ length: 60_000 }, () => ({ entry: "house:a", digest: null, via: "task", why: "w" }));
  waiting.add(injection("long", { dropped }));
  expect([waiting.find("long")?.id, waiting.find("inj_11")?.id]).toEqual(["long", "inj_11"]);
  waiting.add(injection("longer", { dropped }));
  expect([waiting.find("longer")?.id, waiting.find("long"), waiting.find("inj_10009")]).toEqual([
    "longer",
    undefined,
    undefined,
  ]);
  for (let turn = 0; turn < 3; turn++) waiting.add(injection("longer", { dropped }));
  waiting.add(injection("next"));
  expect([waiting.find("longer")?.id, waiting.find("next")?.id]).toEqual(["longer", "next"]);
});
