import { describe, expect, onTestFinished, test } from "vitest";
import { asPerson } from "../../src/app/as-person.ts";
import { publishSkill, unpublishSkill } from "../../src/features/publishing/flow.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { type ApiRoom, manyRequests, openApiRoom } from "../support/api-room.ts";
import { person, RegistryFolder, say } from "../support/registry.ts";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { allow } from "../support/permits.ts";

const names = ["one", "two", "three"];

/** Three that are published; and how often bytes of one were read and hashed for a use since. */
async function publishedRoom(publish: "on" | "off" = "off"): Promise<{ room: ApiRoom; reads: () => number }> {
  const folder = new RegistryFolder({ config: `publish:\n  enabled: ${publish}\n${manyRequests}` });
  const opened = await folder.open();
  let reads = 0;
  const use: Registry["use"] = (...given) => {
    reads++;
    return opened.registry.use(...given);
  };
  const registry = new Proxy(opened.registry, {
    get: (target, name) => (name === "use" ? use : bound(target, Reflect.get(target, name))),
  });
  const app = { ...opened, registry };
  for (const name of names) folder.writeSkill(name);
  const admin = person("ada");
  await addFolder(app.sync, allow(admin), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(admin), "skills");
  for (const name of names) {
    await say(app, admin, "approve", `skills:${name}`);
    await publishSkill(asPerson(app, admin), name);
  }
  const room = await openApiRoom({ registry: { folder, app } });
  onTestFinished(async () => {
    await room.close();
    await folder.remove();
  });
  reads = 0;
  return { room, reads: () => reads };
}

function bound(target: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(target) : value;
}

const read = async (room: ApiRoom, name: string) =>
  (await room.call("GET", `/api/skills/${name}/published`, { key: room.keyOf("reader") })).json();

describe("SV-6, T41: what is published of one skill", () => {
  test("SV-6: is in an answer of its own, and says why nothing is served", async () => {
    const { room } = await publishedRoom("on");
    const { isOpen, line } = await read(room, "one");
    expect([isOpen, line]).toEqual([true, expect.objectContaining({ entry: "skills:one", by: "ada", findings: [] })]);
    expect(line.digest).toMatch(/^[0-9a-f]{64}$/);
    await say(room.app, person("ada"), "disable", "skills:one");
    expect((await read(room, "one")).line).toMatchObject({ digest: null, findings: [{ code: "published.unusable" }] });
    await unpublishSkill(asPerson(room.app, person("ada")), "skills:one");
    expect(await read(room, "one")).toEqual({ isOpen: true, line: null });
    expect((await read(room, "nobody")).code).toBe("record.missing");
  });

  test("T41: however many look at pages of skills, and fetch the index, all of it is verified once", async () => {
    const { room, reads } = await publishedRoom("on");
    for (let turn = 0; turn < 4; turn++) for (const name of names) await read(room, name);
    await room.call("GET", "/api/published", { key: room.keyOf("reader") });
    expect((await fetch(`${room.url}/.well-known/agent-skills/index.json`)).status).toBe(200);
    expect(reads()).toBe(names.length);
    // What is switched on now is told without the others being read for it a second time.
    await unpublishSkill(asPerson(room.app, person("ada")), "skills:one");
    const put = await room.call("PUT", "/api/skills/one/published");
    expect(put.json()).toMatchObject({ entry: "skills:one", findings: [] });
    expect(await read(room, "one")).toEqual({ isOpen: true, line: put.json() });
    expect(reads()).toBe(names.length + 1 + names.length);
  });

  test("SV-6: where the door is closed, it says so", async () => {
    const { room } = await publishedRoom("off");
    expect(await read(room, "one")).toMatchObject({ isOpen: false, line: { entry: "skills:one" } });
    expect((await fetch(`${room.url}/.well-known/agent-skills/index.json`)).status).toBe(404);
  });
});
