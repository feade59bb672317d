import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { ada, currentOf, say, skillText, usableIn } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

let room: ApiRoom;
let first: string;
let second: string;

/** `pdf` is approved and has another revision since; `notes` holds a file that is no text. */
beforeAll(async () => {
  room = await openApiRoom();
  const { app, folder } = room;
  folder.write("skills/pdf/SKILL.md", skillText("pdf", "Read it.\n"));
  folder.write("skills/pdf/scripts/run.sh", "#!/bin/sh\necho ok\n");
  folder.writeSkill("notes", "\u{feff}Take notes.\r\n");
  folder.write("skills/notes/picture.png", Uint8Array.from([0x89, 0x50, 0xff, 0x00]));
  folder.write("skills/notes/large.txt", `${"some words\n".repeat(95_325)}xx`);
  folder.writeSkill("Drawing");
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  first = await currentOf(app, "skills:pdf");
  await say(app, ada, "approve", "skills:pdf");
  await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
  for (const id of ["mine", "theirs"]) {
    await addConfiguration(permitLlm(app, "operate"), id, { provider: "echo", model: "small" });
    await attach(permitLlm(app, "operate"), `config:${id}`, "skills:pdf");
  }
  folder.write("skills/pdf/SKILL.md", skillText("pdf", "Read it at https://example.org now.\n"));
  await runSync(app.sync, allow(ada), "skills");
  second = await currentOf(app, "skills:pdf");
});
afterAll(() => room.close());

const get = async (path: string) => (await room.call("GET", path, { key: room.keyOf("reader") })).json();

describe("SV-2: skills", () => {
  test.each<[query: string, names: string[]]>([
    ["", ["Drawing", "notes", "pdf"]],
    ["?state=pending", ["pdf"]],
    ["?state=enabled", []],
    ["?source=skills&q=NOTES", ["notes"]],
    ["?q=skills%3Ap", ["pdf"]],
    ["?q=what%20drawing%20DOES", ["Drawing"]],
    ["?q=nothing%20like%20it", []],
    ["?q=%25", []],
    ["?q=", ["Drawing", "notes", "pdf"]],
  ])("SV-2: %s", async (query, names) => {
    const { items, total, noticed } = await get(`/api/skills${query}`);
    expect([items.map(({ name }: { name: string }) => name), total, noticed]).toEqual([names, names.length, []]);
  });

  test.each(["state=odd", "limit=0", "limit=501", "limit=1e2", "q=a&q=b", "order=name", `q=${"x".repeat(201)}`])(
    "T41: refuses ?%s",
    async (query) => {
      expect(await get(`/api/skills?${query}`)).toMatchObject({ status: 400, code: "usage.invalid" });
    },
  );

  test("SV-2, RV-14: one skill with its revision, its words and where it is attached", async () => {
    const skill = await get("/api/skills/pdf");
    expect(skill).toMatchObject({ entry: "skills:pdf", state: "pending", current: second, inUse: null, noticed: [] });
    expect(skill.decisions).toMatchObject([{ word: "approve", digest: first, by: "ada" }]);
    expect(skill.attachedTo).toEqual(["config:mine", "config:theirs"]);
    expect(await get("/api/skills/none")).toMatchObject({ code: "record.missing" });
  });

  test("RV-6: says of each kind of finding why it matters, as a review does", async () => {
    const { revision, reasons } = await get("/api/skills/notes");
    const codes = [...new Set(revision.findings.map(({ code }: { code: string }) => code))];
    expect([codes.length > 0, Object.keys(reasons)]).toEqual([true, codes]);
    expect(reasons).toEqual((await get("/api/review/notes")).reasons);
  });

  test("RV-2, RV-4: the revisions that are kept, and what any two of them change", async () => {
    const { revisions } = await get("/api/skills/pdf/revisions");
    expect(revisions).toMatchObject([
      { digest: second, current: true, inUse: false, decisions: [] },
      { digest: first, current: false, decisions: [{ word: "approve", by: "ada" }] },
    ]);
    const usual = await get("/api/skills/pdf/diff");
    expect(usual).toMatchObject({ from: { digest: first, is: "last approved" }, to: second, unchanged: 1 });
    expect(usual.delta).toContainEqual(expect.objectContaining({ kind: "host", change: "added", what: "example.org" }));
    const back = await get(`/api/skills/pdf/diff?from=${second}&to=${first.slice(0, 12)}`);
    expect(back).toMatchObject({ from: { digest: second, is: "chosen" }, to: first });
    expect(back.delta).toContainEqual(expect.objectContaining({ kind: "host", change: "removed" }));
    expect(await get(`/api/skills/pdf/diff?from=${first}&to=${first}`)).toMatchObject({ files: [], unchanged: 2 });
    // Of another entry's revision nothing is said.
    const stranger = await currentOf(room.app, "skills:notes");
    expect(await get(`/api/skills/pdf/diff?from=${stranger}`)).toMatchObject({ status: 404, code: "record.missing" });
  });
});

describe("SV-2: one file as it is written", () => {
  test("SV-2: exactly as its bytes are, of the revision that is asked for", async () => {
    const notes = await get("/api/skills/notes/text");
    const text = skillText("notes", "\u{feff}Take notes.\r\n");
    expect(notes).toEqual({ digest: await currentOf(room.app, "skills:notes"), path: "SKILL.md", text, reason: null });
    expect(await get(`/api/skills/pdf/text?digest=${first}`)).toMatchObject({ text: skillText("pdf", "Read it.\n") });
    const script = await get("/api/skills/pdf/text?file=scripts%2Frun.sh");
    expect(script).toMatchObject({ path: "scripts/run.sh", text: "#!/bin/sh\necho ok\n" });
  });

  test("SV-2: what is no text, or too much of it, is null with the reason", async () => {
    expect(await get("/api/skills/notes/text?file=picture.png")).toMatchObject({
      text: null,
      reason: "it is not UTF-8",
    });
    const large = await get("/api/skills/notes/text?file=large.txt");
    expect(large).toMatchObject({ text: null, reason: "it has 1048577 bytes; at most 1048576 are shown as one text" });
  });

  test.each(["../../../etc/passwd", "/etc/passwd", "scripts", "SKILL.md/", "skill.md"])(
    "T21: a file that the revision does not list is not there: %s",
    async (file) => {
      const answer = await get(`/api/skills/pdf/text?file=${encodeURIComponent(file)}`);
      expect(answer).toMatchObject({ status: 404, code: "record.missing" });
    },
  );
});

describe("RV-9, RT-2: blocks and triggers", () => {
  test("RV-9: a block is effective at once, listed, and lifted again", async () => {
    await say(room.app, ada, "approve", "skills:pdf");
    const json = { kind: "entry", value: "skills:pdf", reason: "reported" };
    const blocked = (await room.call("POST", "/api/blocks", { json })).json();
    expect(blocked).toMatchObject({ known: true, changed: 1, block: { word: "block", by: "key:a-admin" } });
    expect(await usableIn(room.app)).toEqual([]);
    expect(await get("/api/blocks")).toMatchObject([{ kind: "entry", value: "skills:pdf", note: "reported" }]);
    expect((await room.call("POST", "/api/blocks", { json })).json()).toMatchObject({ code: "record.exists" });
    const lifted = (await room.call("POST", "/api/blocks/lift", { json: { ...json, reason: "checked" } })).json();
    expect(lifted).toMatchObject({ changed: 1, block: { word: "unblock", note: "checked" } });
    expect([await get("/api/blocks"), await usableIn(room.app)]).toEqual([[], ["skills:pdf"]]);
    expect((await room.call("POST", "/api/blocks/lift", { json })).status).toBe(404);
    expect((await room.call("POST", "/api/blocks", { json: { ...json, reason: "" } })).status).toBe(400);
  });

  test("RT-2: phrases are set, listed and taken away", async () => {
    const path = "/api/skills/skills%3Anotes/triggers";
    const set = (await room.call("POST", path, { json: { phrases: ["write it down", "take notes"] } })).json();
    expect(set).toEqual({ entry: "skills:notes", phrases: ["write it down", "take notes"] });
    expect(await get("/api/triggers")).toEqual({ triggers: [{ ...set, state: "blocked" }], findings: [] });
    const one = (await room.call("DELETE", `${path}?phrase=take%20notes`)).json();
    expect(one.phrases).toEqual(["write it down"]);
    expect((await room.call("DELETE", path)).json().phrases).toEqual([]);
    expect((await room.call("DELETE", path)).status).toBe(404);
    expect((await room.call("POST", path, { json: { phrases: [] } })).status).toBe(400);
  });
});
