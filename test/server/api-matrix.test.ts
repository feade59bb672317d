import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { mayAct, type Role, roles } from "../../src/registry/accounts/roles.ts";
import { type Access, routes } from "../../src/server/routes.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub } from "../../src/testing/github/script.ts";
import { attach } from "../../src/models/attachments.ts";
import { addConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { addTask } from "../../src/models/task.ts";
import { operationAt } from "../support/api-conformity.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { sampleOf } from "./api-sample.ts";
import { ada, say } from "../support/registry.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

/** Rows whose door is not there yet. Empty: every row has one. */
const notMountedYet: readonly string[] = [];

/** Whom a key says nothing about: these are for whoever is signed in at a browser, and refuse every key. */
const forSessions = new Set(["DELETE /api/session", "PUT /api/session/password"]);

/** RV-12: what concerns all configurations is not for whoever is limited to some, whatever their role. */
const notForLimited = new Set([
  "GET /api/overview",
  "GET /api/events",
  "GET /api/sources",
  "GET /api/sources/:id",
  "GET /api/review",
  "GET /api/review/:entry",
  "GET /api/review/:entry/raw",
  "GET /api/published",
  "GET /api/skills/:entry/published",
  "GET /api/triggers",
  "GET /api/blocks",
  "GET /api/audit",
  "POST /api/audit/verify",
  "GET /api/audit/export",
  "GET /api/where/:digest",
  "GET /api/evaluations",
  "POST /api/evaluations",
  "GET /api/evaluations/:id",
]);

/** Signing in answers 401 to a wrong secret, as it should: what is no secret at all is let in and refused as such. */
const bodies: Readonly<Record<string, object>> = { "POST /api/session": {}, "POST /api/first": {} };

interface Principal {
  readonly name: string;
  /** Null: nobody. */
  readonly role: Role | null;
  readonly limited?: boolean;
}

const everybody: readonly Principal[] = [
  { name: "anonymous", role: null },
  { name: "limited", role: "operator", limited: true },
  ...roles.map((role) => ({ name: role, role })),
];
const reviewer: Principal = { name: "reviewer", role: "reviewer" };

const webPages = pagesFolder();
let github: FakeGitHub;
beforeAll(async () => {
  github = await startGitHub();
});
afterAll(async () => {
  await github.close();
  rmSync(webPages, { recursive: true });
});

describe.each([
  { reviewers: false, principals: everybody },
  // Of all others nothing changes with it.
  { reviewers: true, principals: [reviewer] },
])("T39: with reviewers $reviewers", ({ principals, ...policy }) => {
  let room: ApiRoom;
  let limited: string;
  beforeAll(async () => {
    room = await filledRoom(`${everyDoor(github)}review:\n  reviewers: ${policy.reviewers}\n`, webPages);
    limited = await room.limitedKey(["mine"]);
  });
  afterAll(() => room.close());

  const expectedOf = (route: string, access: Access, { role, limited: isLimited = false }: Principal) => {
    if (access === "anybody") return "allowed";
    if (role === null) return 401;
    if (forSessions.has(route) || (isLimited && notForLimited.has(route))) return 403;
    if (access === "key") return "allowed";
    return mayAct({ name: "x", role, configurations: null }, access, policy) ? "allowed" : 403;
  };
  const keyOf = ({ role, limited: isLimited = false }: Principal) =>
    isLimited ? limited : role === null ? null : room.keyOf(role);
  const stateOf = async () => [await room.app.kept.read.generation(), await room.app.kept.read.auditHead()];

  // Before anything that is allowed: there is still everything that could be changed.
  test.each([...routes])("T39: %s takes %s: nobody else is let in, and nothing has changed", async (route, access) => {
    const before = await stateOf();
    for (const principal of principals) {
      const expected = expectedOf(route, access, principal);
      if (expected === "allowed") continue;
      // By address, so many wrong keys a minute are answered.
      room.folder.clock.advance(2000);
      const status = await ask(room, route, keyOf(principal));
      expect([principal.name, status]).toEqual([principal.name, notMountedYet.includes(route) ? 404 : expected]);
    }
    expect(await stateOf()).toEqual(before);
  });

  test.each([...routes])("T39: %s takes %s: whoever may is let in", async (route, access) => {
    for (const principal of principals) {
      if (expectedOf(route, access, principal) !== "allowed") continue;
      room.folder.clock.advance(2000);
      const status = await ask(room, route, keyOf(principal));
      expect([principal.name, status, [401, 403].includes(status)]).toEqual([principal.name, status, false]);
    }
  });

  test("T39: every row has a door, but for those that are named here", async () => {
    // Each was asked above. Once the server has stopped, its log has every one of them, by its row.
    await room.stop();
    const lines = room.logged().trim().split("\n");
    const reached = new Set(lines.map((line): unknown => JSON.parse(line).route));
    expect([...routes.keys()].filter((route) => !reached.has(route))).toEqual([...notMountedYet]);
  });
});

/** What the ids of each path stand for: things that are there, so that a call that is let in would do something. */
const named: Readonly<Record<string, string>> = {
  sources: "skills",
  configurations: "mine",
  tasks: "sum-up",
  providers: "echo",
  users: "bob",
  keys: "none",
};

function aimOf(route: string): { method: string; path: string } {
  const [method = "", pattern = ""] = route.split(" ");
  const room = pattern.split("/")[2] ?? "";
  const path = pattern
    .replace(":entry", encodeURIComponent("skills:pdf"))
    .replace(":configuration", "mine")
    .replace(":model", "mine")
    .replace(":digest", "0".repeat(64))
    .replace(":id", named[room] ?? "x")
    .replace(":file", "x.js")
    .replaceAll(/:\w+/g, "x");
  return { method, path };
}

/** Of what is described the answer is held against that too; of the rest the status alone is looked at. */
async function ask(room: ApiRoom, route: string, key: string | null): Promise<number> {
  const { method, path } = aimOf(route);
  const operation = operationAt(room.document, method, path);
  const schema = operation?.requestBody?.content?.["application/json"]?.schema;
  const samples = { components: room.document.components.schemas, fields: { configuration: "mine", id: "mine" } };
  const json = bodies[route] ?? (schema === undefined ? undefined : sampleOf(schema, samples));
  const isStream = operation?.responses["200"]?.content?.["text/event-stream"] !== undefined;
  if (operation !== undefined && !isStream) return (await room.call(method, path, { key, json })).status;
  return statusOf(room, method, path, key);
}

/** Of an answer that may have no end. */
function statusOf({ port }: ApiRoom, method: string, path: string, key: string | null): Promise<number> {
  const headers = { "content-type": "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers });
    sent.once("error", reject);
    sent.once("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.end(method === "GET" || method === "DELETE" ? undefined : "{}");
  });
}

/** Also those that are off until they are configured; whoever they ask is on loopback. */
function everyDoor(hub: FakeGitHub): string {
  const oidc = `{ issuer: "${hub.web}", client-id: skillward }`;
  const serve = `serve:\n  hosts: [skills.example.org]\n  public-url: "https://skills.example.org"`;
  return `${hub.configuration("here")}\npublish:\n  enabled: on\n${serve}\nsign-in:\n  oidc: ${oidc}\n`;
}

/** A registry with one of everything that a path can name, and pages. */
async function filledRoom(config: string, pages: string): Promise<ApiRoom> {
  const room = await openApiRoom({ config, pages });
  const { app, folder } = room;
  folder.writeSkill("pdf");
  folder.writeSkill("notes");
  await addFolder(app.sync, allow(ada), folder.skills, { id: "skills" });
  await runSync(app.sync, allow(ada), "skills");
  await say(app, ada, "approve", "skills:pdf");
  await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
  await addConfiguration(permitLlm(app, "operate"), "mine", { provider: "echo", model: "small" });
  await addTask(permitLlm(app, "operate"), "sum-up", { configuration: "mine", template: "Sum up: {{input}}" });
  await attach(permitLlm(app, "operate"), "config:mine", "skills:pdf");
  await addUser(app.accounts, allow(ada), { name: "bob", role: "reader", password: "correct horse battery" });
  return room;
}

function pagesFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skillward-pages-"));
  mkdirSync(join(folder, "assets"));
  for (const name of ["index.html", "favicon.svg", "assets/x.js"]) writeFileSync(join(folder, name), "");
  return folder;
}
