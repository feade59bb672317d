import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AppHome } from "../../../test/support/app-home.ts";
import { ada, say } from "../../../test/support/registry.ts";
import { addFolder } from "../../registry/sync/sources.ts";
import { runSync } from "../../registry/sync/sync.ts";
import type { App } from "../../app/app.ts";
import { addSkillTriggers, listSkillTriggers, removeSkillTriggers } from "./triggers.ts";
import { allow } from "../../../test/support/permits.ts";

let home: AppHome;
let app: App;

beforeEach(async () => {
  home = new AppHome();
  for (const name of ["pdf", "csv"]) home.writeSkill(name);
  app = await home.open();
  await addFolder(app.sync, allow(ada), home.path("skills"), { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  await say(app, ada, "approve", "skills:pdf");
});
afterEach(() => home.remove());

const outcome = (doing: Promise<unknown>) => doing.then(JSON.stringify, (error: { code: string }) => error.code);

/** Records of changes, in order. */
async function changes(): Promise<unknown[]> {
  const records = await app.kept.read.auditAfter(0, 999);
  return records
    .filter(({ act }) => act === "trigger.changed")
    .map(({ by, subject, details }) => [by, subject, JSON.parse(details)]);
}

describe("RT-2: triggers that an admin sets", () => {
  test("RT-2: are kept in one form, in order, each once, and taken away again", async () => {
    const typed = ["  read\ta  PDF ", "fill a form", "Fill a FORM", "cafe\u0301"];
    expect(await addSkillTriggers(app, "pdf", typed)).toEqual({
      entry: "skills:pdf",
      phrases: ["read a PDF", "fill a form", "café"],
    });
    await addSkillTriggers(app, "skills:pdf", ["READ A PDF", "sign it"]);
    const all = ["read a PDF", "fill a form", "café", "sign it"];
    expect(await listSkillTriggers(app)).toEqual({
      triggers: [{ entry: "skills:pdf", phrases: all, state: "enabled" }],
      findings: [],
    });
    await removeSkillTriggers(app, "pdf", ["CAFÉ", "sign it"]);
    expect((await listSkillTriggers(app)).triggers[0]?.phrases).toEqual(["read a PDF", "fill a form"]);
    expect(await removeSkillTriggers(app, "pdf", [])).toEqual({ entry: "skills:pdf", phrases: [] });
    expect(await listSkillTriggers(app)).toEqual({ triggers: [], findings: [] });
  });

  test("invariant 7: every change is in the audit chain and raises the generation, or nothing happened", async () => {
    const before = await app.kept.read.generation();
    await addSkillTriggers(app, "pdf", ["a b", "c d"]);
    await removeSkillTriggers(app, "pdf", ["a b"]);
    expect(await app.kept.read.generation()).toBe(before + 2);
    expect(await changes()).toEqual([
      ["machine:tester", "skills:pdf", { added: ["a b", "c d"] }],
      ["machine:tester", "skills:pdf", { removed: ["a b"] }],
    ]);
    const kept: App["kept"] = {
      ...app.kept,
      transaction: (act) =>
        app.kept.transaction((port) => act({ ...port, insertAudit: () => Promise.reject(new Error("disk full")) })),
    };
    await expect(addSkillTriggers({ ...app, kept }, "csv", ["e f"])).rejects.toThrow("disk full");
    expect((await listSkillTriggers(app)).triggers.map(({ entry }) => entry)).toEqual(["skills:pdf"]);
    expect(await changes()).toHaveLength(2);
  });

  test.each([
    ["empty", ""],
    ["blank", " \t\n"],
    ["no letter or digit", "?!… 🙂"],
    ["too long", "x".repeat(201)],
    ["far too long", `a${"\u0301".repeat(1_000_000)}`],
    ["unseen characters", "read\u200b me"],
    ["bidi", "read \u202eme"],
    ["a control", "read\u0000me"],
    ["half a character", "read \ud800"],
  ])("RT-2: a phrase that is %s is refused, and nothing changes", async (_, phrase) => {
    expect(await outcome(addSkillTriggers(app, "pdf", ["fine", phrase]))).toBe("usage.invalid");
    expect(await listSkillTriggers(app)).toEqual({ triggers: [], findings: [] });
    expect(await changes()).toEqual([]);
  });

  test("RT-2: 200 characters and 50 phrases are the most", async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => `${"😀".repeat(198)}${at + 10}`);
    expect((await addSkillTriggers(app, "pdf", fifty)).phrases).toHaveLength(50);
    expect((await listSkillTriggers(app)).triggers[0]?.phrases).toEqual(fifty);
    expect(await outcome(addSkillTriggers(app, "pdf", ["one more"]))).toBe("usage.invalid");
    expect((await listSkillTriggers(app)).triggers[0]?.phrases).toHaveLength(50);
  });

  test("RT-2: what is not there or there already is said", async () => {
    expect(await outcome(addSkillTriggers(app, "nobody", ["x"]))).toBe("record.missing");
    expect(await outcome(removeSkillTriggers(app, "pdf", []))).toBe("record.missing");
    await addSkillTriggers(app, "pdf", ["x"]);
    expect(await outcome(addSkillTriggers(app, "pdf", ["X"]))).toBe("record.exists");
    expect(await outcome(removeSkillTriggers(app, "pdf", ["x", "y"]))).toBe("record.missing");
    expect((await listSkillTriggers(app)).triggers[0]?.phrases).toEqual(["x"]);
  });

  test("RV-12: only an admin sets them, and everybody who may read sees them", async () => {
    await addSkillTriggers(app, "pdf", ["x"]);
    for (const role of ["reader", "operator", "reviewer"] as const) {
      const other = { ...app, person: { name: "olga", role, configurations: null } };
      expect(await outcome(addSkillTriggers(other, "pdf", ["y"]))).toBe("auth.forbidden");
      expect(await outcome(removeSkillTriggers(other, "pdf", ["x"]))).toBe("auth.forbidden");
      expect((await listSkillTriggers(other)).triggers).toHaveLength(1);
    }
    expect(await changes()).toHaveLength(1);
  });

  test.each(["", "{", "null", '"x"', '["x", 1]', '["  x"]', '["x\\u0000"]', JSON.stringify(Array(51).fill("x"))])(
    "RT-2: a row that was changed by hand to %s is no trigger, is named, and can be replaced",
    async (damaged) => {
      await addSkillTriggers(app, "pdf", ["x"]);
      await addSkillTriggers(app, "csv", ["y"]);
      await home.sql(`UPDATE triggers SET phrases = '${damaged}' WHERE entry = 'skills:pdf'`);
      const { triggers, findings } = await listSkillTriggers(app);
      expect(triggers).toMatchObject([{ entry: "skills:csv", phrases: ["y"] }]);
      expect(findings).toMatchObject([{ code: "route.trigger-damaged", at: { file: "skills:pdf" } }]);
      await removeSkillTriggers(app, "skills:pdf", []);
      expect((await listSkillTriggers(app)).findings).toEqual([]);
      expect((await addSkillTriggers(app, "pdf", ["z"])).phrases).toEqual(["z"]);
    },
  );

  test("RT-2: of an entry that the registry does not have they are shown, and taken away by its id", async () => {
    await home.sql(`INSERT INTO triggers VALUES ('gone:skill', '["x"]')`);
    expect((await listSkillTriggers(app)).triggers).toEqual([
      { entry: "gone:skill", phrases: ["x"], state: "missing" },
    ]);
    await removeSkillTriggers(app, "gone:skill", []);
    expect((await listSkillTriggers(app)).triggers).toEqual([]);
  });
});
