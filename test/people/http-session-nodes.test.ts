import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app/app.ts";
import { addFirstAdmin, firstAdminLink } from "../../src/registry/accounts/first-admin.ts";
import { openSession } from "../../src/registry/accounts/sessions.ts";
import { disableUser, enableUser } from "../../src/registry/accounts/users.ts";
import { type AppHome, newHome } from "../support/app-home.ts";
import { Browser } from "./http-browser.ts";
import { ada } from "../support/registry.ts";
import { browserWith, password, putUser, serveApi } from "./session-room.ts";
import { allow } from "../support/permits.ts";

type Node = Awaited<ReturnType<typeof serveApi>>;

let home: AppHome;
const apps: App[] = [];
let nodes: Node[] = [];

beforeAll(async () => {
  home = await newHome("PostgreSQL");
  // One after the other: the first makes the key file.
  for (const _ of ["one", "two"]) apps.push(await home.open());
  nodes = await Promise.all(apps.map((app) => serveApi(app)));
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await home.remove();
});

function pair<Item>(items: readonly Item[]): readonly [Item, Item] {
  const [one, other] = items;
  if (one === undefined || other === undefined) throw new Error("there are two of them");
  return [one, other];
}

test("RV-12: a link of one node makes the first admin on another; of two nodes at once, one does", async () => {
  const [one, other] = pair(apps);
  const link = await firstAdminLink({ ...one.accounts, store: one.kept.store }, "http://localhost");
  const token = link?.split("#/first/")[1] ?? "";
  const browsers = nodes.map((node) => new Browser(node));
  const replies = await Promise.all(
    browsers.map((browser, at) =>
      browser.call("POST", "/api/first", { json: { token, name: `admin-${at}`, password } }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
  expect(await one.kept.read.listUsers()).toHaveLength(1);
  const late = addFirstAdmin({ ...other.accounts, store: other.kept.store }, token, { name: "eve", password });
  await expect(late).rejects.toMatchObject({ code: "auth.failed" });
});

test("SV-7, T37: a session of one node is one on every node, and ends on all of them at once", async () => {
  const [first, second] = pair(nodes);
  const [one, other] = pair(apps);
  await putUser(one.accounts, "bob", "operator");
  const secret = await openSession(one.accounts, "bob", "password");
  const [here, there] = [browserWith(first, secret), browserWith(second, secret)];
  expect([await here.whoami(), await there.whoami()]).toEqual(["bob", "bob"]);
  expect((await there.call("DELETE", "/api/session")).status).toBe(200);
  expect(await here.whoami()).toBeNull();

  const again = browserWith(first, await openSession(other.accounts, "bob", "password"));
  expect(await again.whoami()).toBe("bob");
  await disableUser(other.accounts, allow(ada), "bob");
  expect(await again.copy().whoami()).toBeNull();
  await enableUser(other.accounts, allow(ada), "bob");
  expect(await again.whoami()).toBeNull();
});

test("T37: many requests of one page at once, a minute later, on two nodes: all are answered, one row", async () => {
  const secret = await openSession(pair(apps)[0].accounts, "bob", "password");
  home.clock.advance(120_000);
  const before = await pair(apps)[0].kept.read.generation();
  const visits = Array.from({ length: 20 }, (_, at) => browserWith(pair(nodes)[at % 2 === 0 ? 0 : 1], secret).whoami());
  expect(new Set(await Promise.all(visits))).toEqual(new Set(["bob"]));
  expect(await home.sql("SELECT seen_at - created_at AS seen FROM sessions WHERE owner = 'bob'")).toEqual([
    { seen: "120000" },
  ]);
  expect(await pair(apps)[0].kept.read.generation()).toBe(before);
});
