import { afterAll, expect, test } from "vitest";
import { createHomes } from "../support/cli-home.ts";

const homes = createHomes();
afterAll(homes.remove);

const home = homes.once(() => {
  const made = homes.home();
  made.run(["source", "add", made.skills("house", { writing: "Write.", naming: "Name." }), "--id", "house"]);
  made.run(["review", "--approve-clean"]);
  return made;
});

test("RT-2: phrases are set, listed and taken away from the command line", () => {
  const at = home();
  expect(at.run(["trigger", "list"]).out).toContain("No triggers yet");
  expect(at.run(["trigger", "add", "writing", "tone of  voice", "how we write"]).out).toBe(
    "triggers of house:writing\n  tone of voice\n  how we write\n",
  );
  expect(at.json(["trigger", "list"])).toEqual({
    triggers: [{ entry: "house:writing", phrases: ["tone of voice", "how we write"], state: "enabled" }],
    findings: [],
  });
  expect(at.run(["trigger", "list"]).out).toBe(
    "entry          state    phrase\nhouse:writing  enabled  tone of voice\nhouse:writing  enabled  how we write\n",
  );
  expect(at.json(["trigger", "remove", "writing", "How we write"]).phrases).toEqual(["tone of voice"]);
  expect(at.run(["trigger", "remove", "house:writing"]).out).toBe("house:writing has no triggers now\n");
  expect(at.json(["audit", "list"]).map(({ act }: { act: string }) => act)).toContain("trigger.changed");
  expect(at.run(["audit", "verify"]).code).toBe(0);
});

test("RT-2: what cannot be read of them is a finding, and an exit code", () => {
  const at = home();
  at.run(["trigger", "add", "writing", "x"]);
  const database = at.database;
  database.exec("UPDATE triggers SET phrases = 'rubbish'");
  database.close();
  const { code, err } = at.run(["trigger", "list"]);
  expect([code, err]).toEqual([1, expect.stringContaining("route.trigger-damaged")]);
});

test("RT-2: what cannot be asked is refused with the reason", () => {
  const at = home();
  expect(at.refusal(["trigger", "add", "nobody", "x"]).code).toBe("record.missing");
  expect(at.refusal(["trigger", "add", "writing", "?!"])).toMatchObject({ exit: 2, code: "usage.invalid" });
  expect(at.run(["trigger", "add", "writing"]).code).toBe(2);
  const sentence = "a phrase of so many words that nobody will ever write all of them again in just this order";
  expect(at.refusal(["trigger", "add", "writing", sentence]).message).toContain("at most 16 words");
});

test("RT-2: a phrase of a script without spaces is as long as it says, and is found", () => {
  const at = home();
  const phrase = "帮我把这份合同翻译成英文并检查其中的条款";
  at.run(["trigger", "add", "naming", phrase]);
  expect(at.json(["route", phrase]).matches).toMatchObject([{ name: "naming", link: "trigger" }]);
});
