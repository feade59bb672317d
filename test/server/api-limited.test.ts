import { symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { listSkills } from "../../src/features/skills/flow.ts";
import { asPerson } from "../../src/app/as-person.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { auditLength, done, echoConfiguration, segment } from "../support/api-use.ts";
import { ada, currentOf, say, skillText } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

let room: ApiRoom;
let key: string;
let approved: string;
let waiting: string;

/**
 * Of `house`, `plain` is in use, and `report` too, with a revision that waits; `secret-plan` was never approved and
 * `withdrawn` is not in use any more. Of `elsewhere` nothing is in use.
 */
beforeAll(async () => {
  room = await openApiRoom();
  const { app, folder } = room;
  for (const name of ["plain", "report", "secret-plan", "withdrawn"])
    folder.write(`house/${name}/SKILL.md`, skillText(name, "First words.\n"));
  folder.write("elsewhere/hidden/SKILL.md", skillText("hidden", "Hidden words.\n"));
  await addFolder(app.sync, allow(ada), `${folder.root}/house`, { id: "house", onChange: "hold" });
  await addFolder(app.sync, allow(ada), `${folder.root}/elsewhere`, { id: "elsewhere" });
  for (const source of ["house", "elsewhere"]) await runSync(app.sync, allow(ada), source);
  for (const name of ["plain", "report", "withdrawn"]) await say(app, ada, "approve", `house:${name}`);
  await say(app, ada, "disable", "house:withdrawn");
  approved = await currentOf(app, "house:report");
  folder.write("house/report/SKILL.md", skillText("report-of-late", "Later words.\n"));
  // What is noticed of it when it is read is noticed of these bytes.
  symlinkSync("/nowhere", `${folder.root}/house/report/later-link`);
  await runSync(app.sync, allow(ada), "house");
  waiting = await currentOf(app, "house:report");
  await say(app, ada, "reject", "house:report");
  await echoConfiguration(room, "mine");
  await echoConfiguration(room, "theirs");
  for (const id of ["mine", "theirs"])
    await done(room, "PUT", `/api/configurations/${id}/attached/${segment("house:plain")}`);
  key = await room.limitedKey(["mine"]);
});
afterAll(() => room.close());

const get = async (path: string) => (await room.call("GET", path, { key })).json();
const of = (entry: string, rest = "") => `/api/skills/${segment(entry)}${rest}`;

describe("RV-12: of the registry, a key that is limited sees what may be used now", () => {
  test("RV-12: the list, whatever it is narrowed by", async () => {
    const entries = async (query = "") =>
      (await get(`/api/skills${query}`)).items.map(({ entry }: { entry: string }) => entry);
    expect(await entries()).toEqual(["house:plain", "house:report"]);
    expect(await get("/api/skills")).toMatchObject({ total: 2, more: 0, noticed: [] });
    expect(await entries("?state=new")).toEqual([]);
    expect(await entries("?state=disabled")).toEqual([]);
    expect(await entries("?q=secret")).toEqual([]);
    expect(await entries("?q=of-late")).toEqual([]);
    // A source of which nothing is in use is as one that is not there.
    for (const source of ["elsewhere", "elsewhere2", "nowhere"]) {
      const answer = await get(`/api/skills?source=${source}`);
      expect(answer).toMatchObject({ status: 404, detail: expect.not.stringContaining("did you mean") });
    }
    // Whoever is not limited sees them all.
    expect((await done(room, "GET", "/api/skills", undefined, room.keyOf("reader"))).total).toBe(5);
  });

  test("RV-12: what is not in use is not there, by id, by name, or as a guess", async () => {
    for (const entry of [
      "house:secret-plan",
      "secret-plan",
      "house:secret-plam",
      "house:withdrawn",
      "elsewhere:hidden",
    ])
      for (const rest of ["", "/text", "/diff", "/revisions"]) {
        const answer = await get(of(entry, rest));
        expect([entry, rest, answer.code]).toEqual([entry, rest, "record.missing"]);
        expect(answer.detail).not.toContain("did you mean");
      }
  });

  test("RV-12: of an entry, the revision in use alone: nothing of what waits", async () => {
    const answers = await Promise.all(
      ["", "/text", "/diff", "/revisions", `/text?digest=${approved}`, `/diff?from=${approved}`].map((rest) =>
        get(of("house:report", rest)),
      ),
    );
    const [skill, text, diff, revisions, chosen] = answers;
    expect(skill).toMatchObject({ name: "report", current: approved, inUse: approved, revision: { digest: approved } });
    expect(skill.decisions).toMatchObject([{ word: "approve", digest: approved }]);
    expect([text, chosen]).toEqual([text, text]);
    expect(text).toMatchObject({ digest: approved, text: skillText("report", "First words.\n") });
    expect(diff).toMatchObject({ from: { digest: approved, is: "in use" }, to: approved, files: [] });
    expect(revisions.revisions).toMatchObject([{ digest: approved, current: true, inUse: true }]);
    const refused = await Promise.all(
      [`/text?digest=${waiting}`, `/diff?from=${waiting}`, `/diff?to=${waiting.slice(0, 12)}`].map((rest) =>
        get(of("house:report", rest)),
      ),
    );
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "record.missing"));
    for (const answer of [...answers, ...refused])
      for (const unseen of [waiting, "Later words", "of-late", "later-link", "reject"])
        expect(JSON.stringify(answer)).not.toContain(unseen);
    expect(await done(room, "GET", "/api/review/house%3Areport")).toMatchObject({
      revision: {
        findings: expect.arrayContaining([expect.objectContaining({ at: { file: "later-link", line: 1 } })]),
      },
    });
    // The name of what waits is nobody's for them.
    expect((await get(of("report-of-late"))).code).toBe("record.missing");
    expect((await get(of("report"))).entry).toBe("house:report");
  });

  test("RV-12, RV-14: where it is attached, as far as one may see", async () => {
    expect((await get(of("house:plain"))).attachedTo).toEqual(["config:mine"]);
  });

  test.each([
    "/api/sources",
    "/api/sources/house",
    "/api/sources/nowhere",
    "/api/review",
    "/api/review/house%3Aplain",
    "/api/review/nothing",
    "/api/review/house%3Aplain/raw",
    "/api/blocks",
    "/api/triggers",
    "/api/published",
    "/api/skills/house%3Aplain/published",
    "/api/overview",
    "/api/events",
  ])("RV-12: %s concerns all configurations, and is refused", async (path) => {
    expect(await get(path)).toMatchObject({
      status: 403,
      code: "auth.forbidden",
      detail: expect.stringContaining("is limited to some configurations"),
    });
  });

  test("RV-12: the same for whoever asks without a server between", async () => {
    const limited = asPerson(room.app, { name: "key:x", role: "reader", configurations: ["mine"] });
    expect((await listSkills(limited, {})).items.map(({ entry }) => entry)).toEqual(["house:plain", "house:report"]);
  });

  test("RV-12: to attach says nothing of an entry before the configuration, and nothing of those that are not seen", async () => {
    const before = await auditLength(room);
    const attach = async (configuration: string, entry: string, method = "PUT") => {
      const path = `/api/configurations/${configuration}/attached/${segment(entry)}`;
      const { status, json } = await room.call(method, path, { key });
      return [status, json().detail];
    };
    const [, elsewhere] = await attach("theirs", "house:plain");
    for (const entry of ["house:plain", "house:secret-plan", "nothing"])
      for (const method of ["PUT", "DELETE"]) expect(await attach("theirs", entry, method)).toEqual([403, elsewhere]);
    for (const method of ["PUT", "DELETE"]) {
      const [status, detail] = await attach("mine", "house:secret-plan", method);
      expect([status, detail]).toEqual([404, expect.stringContaining('there is no skill "house:secret-plan"')]);
    }
    expect(await auditLength(room)).toBe(before);
  });

  test("RV-12, T17: what was noticed about the registry is not for them", async () => {
    room.folder.sql("UPDATE sources SET record = json_set(record, '$.trust', 'first_party') WHERE id = 'elsewhere'");
    await say(room.app, ada, "reject", "elsewhere:hidden");
    expect((await done(room, "GET", "/api/skills")).noticed).toMatchObject([{ code: "source.tampered" }]);
    expect([(await get("/api/skills")).noticed, (await get(of("house:plain"))).noticed]).toEqual([[], []]);
  });

  test("RV-12: no name for one request, and no set of tools, tells of what is not seen", async () => {
    const asked = [
      await room.call("POST", "/api/compose", { key, json: { configuration: "mine", skills: ["house:secret-plan"] } }),
      await room.call("POST", "/api/scopes/compose", { key, json: { skills: ["house:secret-plam"] } }),
      await room.call("POST", "/api/scopes/compose", { key, json: { skills: ["elsewhere/hidden"] } }),
    ];
    for (const { text } of asked) {
      expect(text).toContain("there is no skill");
      expect(text).not.toContain("did you mean");
    }
  });
});
