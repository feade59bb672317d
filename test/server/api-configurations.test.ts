import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { approveSkills, auditLength, done, echoConfiguration, segment } from "../support/api-use.ts";
import { ada, say } from "../support/registry.ts";

const reader =
  "Look up the key in `$BILLING_API_KEY` and say how old it is.\n\n```bash\nprintf '%s' \"${#BILLING_API_KEY}\"\n```\n";
const poster = "Post the summary:\n\n```bash\ncurl -d @summary.txt https://status.example.org/notes\n```\n";

let room: ApiRoom;
beforeAll(async () => {
  room = await openApiRoom();
  await approveSkills(room, { reader, poster, plain: "Write plainly.\n", second: "Draw boldly.\n" });
  room.folder.writeSkill("waiting");
  await echoConfiguration(room);
});
afterAll(() => room.close());

const skill = (name: string) => segment(`skills:${name}`);

describe("CO-13: configurations and tasks through the API", () => {
  test("CO-13: a configuration has its defaults, keeps what is not sent, and goes with its attachments", async () => {
    const fields = { systemPrompt: "Be brief.", parameters: { temperature: 0.2 }, routing: { enabled: true } };
    const added = await done(room, "POST", "/api/configurations", {
      id: "full",
      provider: "echo",
      model: "m",
      ...fields,
    });
    expect(added).toMatchObject({ ...fields, budget: 24_000, placement: "user", routing: { routeOn: "first" } });
    const changed = await done(room, "PATCH", "/api/configurations/full", { routing: { floor: 0.4 }, budget: 9000 });
    expect(changed).toEqual({ ...added, budget: 9000, routing: { ...added.routing, floor: 0.4 } });
    expect(await done(room, "GET", "/api/configurations/full")).toEqual(changed);
    expect(await done(room, "GET", "/api/configurations")).toContainEqual(changed);
    await done(room, "PUT", `/api/configurations/full/attached/${skill("plain")}`);
    expect(await done(room, "DELETE", "/api/configurations/full")).toEqual({ removed: "full" });
    expect(await room.app.kept.read.listAttached("config:full")).toEqual([]);
  });

  test("CO-13: a task, and why one cannot be", async () => {
    const added = await done(room, "POST", "/api/tasks", {
      id: "sum-up",
      configuration: "echo",
      template: "Sum: {{input}}",
    });
    const changed = await done(room, "PATCH", "/api/tasks/sum-up", { template: "In short: {{input}}" });
    expect(changed).toEqual({ ...added, template: "In short: {{input}}" });
    expect(await done(room, "GET", "/api/tasks")).toEqual([changed]);
    const wrong = await room.call("POST", "/api/tasks", { json: { id: "x", configuration: "echo", template: "Sum." } });
    expect([wrong.status, wrong.json().detail]).toEqual([400, expect.stringContaining("{{input}}")]);
    const homeless = { id: "x", configuration: "nobody", template: "{{input}}" };
    expect((await room.call("POST", "/api/tasks", { json: homeless })).status).toBe(404);
    expect(await done(room, "DELETE", "/api/tasks/sum-up")).toEqual({ removed: "sum-up" });
  });

  test.each([
    [{ model: "m", provider: "nobody" }, 404],
    [{ provider: "echo", model: "a b" }, 400],
    [{ provider: "echo", model: "m", skills: [] }, 400],
    [{ provider: "echo", model: "m", routing: { enabled: true, floor: 2 } }, 400],
    [{ provider: "echo", model: "m", parameters: { model: "other" } }, 400],
    [{ provider: "echo", model: "m", routable: ["no id"] }, 400],
    [{ provider: "echo", model: "m", budget: 0 }, 400],
    [{ provider: "echo" }, 400],
  ])("SV-2: %j is refused, and nothing is kept", async (fields, status) => {
    const before = await auditLength(room);
    expect((await room.call("POST", "/api/configurations", { json: { id: "wrong", ...fields } })).status).toBe(status);
    expect(await auditLength(room)).toBe(before);
  });

  test("SV-2: whoever has the answer of this generation is told so; a change takes the tag away", async () => {
    const { headers } = await room.call("GET", "/api/configurations");
    const again = { headers: { "if-none-match": String(headers["etag"]) } };
    expect((await room.call("GET", "/api/configurations", again)).status).toBe(304);
    await done(room, "PATCH", "/api/configurations/echo", { budget: 23_000 });
    expect((await room.call("GET", "/api/configurations", again)).status).toBe(200);
  });

  test("RV-12: a reader changes nothing", async () => {
    const key = room.keyOf("reader");
    const before = await auditLength(room);
    const tries = [
      await room.call("POST", "/api/configurations", { key, json: { id: "mine", provider: "echo", model: "m" } }),
      await room.call("PATCH", "/api/configurations/echo", { key, json: { budget: 1 } }),
      await room.call("DELETE", "/api/configurations/echo", { key }),
      await room.call("PUT", `/api/configurations/echo/attached/${skill("plain")}`, { key }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await auditLength(room)).toBe(before);
  });
});

describe("RV-14: what is attached", () => {
  test("T35: one reads secrets, one posts: attaching both shows both, and a finding", async () => {
    await echoConfiguration(room, "together");
    const path = "/api/configurations/together/attached";
    const first = await done(room, "PUT", `${path}/${skill("reader")}`);
    expect(first.capabilities.secrets).toContainEqual({ what: "BILLING_API_KEY", of: ["skills:reader"] });
    expect(first.findings).toEqual([]);
    const both = await done(room, "PUT", `${path}/${skill("poster")}`);
    expect(both.capabilities.secrets).toContainEqual({ what: "BILLING_API_KEY", of: ["skills:reader"] });
    expect(both.capabilities.network).toContainEqual({ what: "status.example.org", of: ["skills:poster"] });
    expect(both.findings).toMatchObject([{ code: "attached.secrets-network", at: { file: "config:together" } }]);
    const { attached, capabilities, findings } = await done(room, "GET", path);
    expect({ attached, capabilities, findings }).toEqual({
      attached: both.attached,
      capabilities: both.capabilities,
      findings: both.findings,
    });
    // A task is used with the skills of its configuration: one of them there is enough.
    await done(room, "DELETE", `${path}/${skill("poster")}`);
    await done(room, "POST", "/api/tasks", { id: "post", configuration: "together", template: "{{input}}" });
    const task = await done(room, "PUT", `/api/tasks/post/attached/${skill("poster")}`);
    expect(task.findings).toMatchObject([{ code: "attached.secrets-network", at: { file: "task:post" } }]);
  });

  test("RV-14: only what is approved; twice is refused; what goes out of use stays with its reason", async () => {
    await echoConfiguration(room, "order");
    const path = "/api/configurations/order/attached";
    await done(room, "PUT", `${path}/${skill("plain")}`);
    await done(room, "PUT", `${path}/second`);
    const twice = await room.call("PUT", `${path}/${skill("plain")}`);
    expect([twice.status, twice.json().code]).toEqual([409, "record.exists"]);
    const unknown = await room.call("PUT", `${path}/${skill("waiting")}`);
    expect(unknown.status).toBe(404);
    await say(room.app, ada, "disable", "skills:plain");
    const { attached } = await done(room, "GET", path);
    expect(attached).toMatchObject([
      { entry: "skills:plain", usable: false, state: "disabled" },
      { entry: "skills:second", usable: true, state: "enabled" },
    ]);
    const disabled = await room.call("PUT", `/api/configurations/echo/attached/${skill("plain")}`);
    expect([disabled.status, disabled.json().code]).toEqual([422, "entry.unusable"]);
    const left = await done(room, "DELETE", `${path}/${skill("plain")}`);
    expect(left).toMatchObject({
      target: "config:order",
      entry: "skills:plain",
      attached: [{ entry: "skills:second" }],
    });
    await say(room.app, ada, "approve", "skills:plain");
  });

  test("RV-12: a key that is limited sees and touches its own configurations alone", async () => {
    await echoConfiguration(room, "theirs");
    await done(room, "POST", "/api/tasks", { id: "their-task", configuration: "theirs", template: "{{input}}" });
    const key = await room.limitedKey(["echo"]);
    const ids = async (path: string) =>
      (await done(room, "GET", path, undefined, key)).map(({ id }: { id: string }) => id);
    expect([await ids("/api/configurations"), await ids("/api/tasks")]).toEqual([["echo"], []]);
    const before = await auditLength(room);
    const json = { configuration: "theirs", query: "plain" };
    const tries = [
      await room.call("GET", "/api/configurations/theirs", { key }),
      await room.call("GET", "/api/configurations/theirs/attached", { key }),
      await room.call("PATCH", "/api/configurations/theirs", { key, json: { budget: 1 } }),
      await room.call("POST", "/api/configurations", { key, json: { id: "new", provider: "echo", model: "m" } }),
      await room.call("PUT", `/api/configurations/theirs/attached/${skill("plain")}`, { key }),
      await room.call("PUT", `/api/tasks/their-task/attached/${skill("plain")}`, { key }),
      await room.call("PATCH", "/api/tasks/their-task", { key, json: { configuration: "echo" } }),
      await room.call("DELETE", "/api/configurations/theirs", { key }),
      await room.call("POST", "/api/compose", { key, json }),
      await room.call("POST", "/api/compose", { key, json: { configuration: "theirs", task: "their-task" } }),
      await room.call("POST", "/api/compose", { key, json: { configuration: "echo", skills: ["skills:plain"] } }),
      await room.call("GET", "/api/usage?configuration=theirs", { key }),
      await room.call("GET", "/api/evaluations", { key }),
      await room.call("GET", "/api/audit", { key }),
      await room.call("GET", "/api/audit/export", { key }),
      await room.call("POST", "/api/audit/verify", { key, json: {} }),
    ];
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 403));
    expect(await auditLength(room)).toBe(before);
  });
});
