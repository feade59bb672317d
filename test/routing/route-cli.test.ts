import { afterAll, expect, test } from "vitest";
import { createHomes } from "../support/cli-home.ts";

const homes = createHomes();
afterAll(homes.remove);

const home = homes.once(() => {
  const made = homes.home();
  made.run([
    "source",
    "add",
    made.skills("house", { baking: "Bake bread.", sailing: "Read the tides." }),
    "--id",
    "house",
  ]);
  made.run(["review", "--approve-clean"]);
  return made;
});

test("RT-1: what fits is found, with exit code 0; nothing that fits, with 1", () => {
  const at = home();
  expect(at.json(["route", "how do I bake bread?"])).toMatchObject({ matches: [{ name: "baking" }], abstained: false });
  const { code, out } = at.run(["route", "polish my old shoes"]);
  expect([code, out]).toEqual([1, expect.stringContaining("No skill fits")]);
});

test("RT-1: who has approved nothing yet is told what to do", () => {
  const at = homes.home();
  expect(at.run(["route", "anything"]).err).toContain("Add skills first: skillward source add");
  at.run(["source", "add", at.skills("house", { baking: "Bake bread." }), "--id", "house"]);
  expect(at.run(["route", "anything"]).err).toContain("No skill is approved yet; 1 skill waits for review");
});

test("RT-1: what cannot be asked is refused with the reason", () => {
  const at = home();
  expect(at.refusal(["route", "x", "--limit", "100"])).toMatchObject({ exit: 2, code: "usage.invalid" });
  expect(at.refusal(["route", "x", "--for", "nobody"])).toMatchObject({ exit: 2, code: "record.missing" });
  const folder = at.skills("house", {});
  expect(at.refusal(["route", "x", "--skills", folder, "--for", "any"]).message).toContain("--for is for a store");
});
