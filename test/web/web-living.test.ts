import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { addConfiguration, showConfiguration } from "../../src/models/configurations.ts";
import { addProvider } from "../../src/models/providers.ts";
import { axe, openBrowser, type Page, screenshot, type TestBrowser } from "../support/browser.ts";
import { ada, currentOf, say } from "../support/registry.ts";
import { goTo, openWebRoom, settled, type WebRoom } from "./web-room.ts";
import { permitLlm } from "../../src/models/context.ts";

/** One room, one browser, and one page of an admin for all that does not need another. */
let browser: TestBrowser;
let room: WebRoom;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  room = await openWebRoom(browser);
  const { folder, app } = room;
  for (const name of ["held", "plain", "waiting"]) folder.writeSkill(name);
  await addSource(app, folder.skills, { id: "acme" });
  await say(app, ada, "approve", "acme:plain");
  // Held: the older revision is let in again while a newer one is there.
  const older = await currentOf(app, "acme:held");
  await say(app, ada, "approve", "acme:held");
  folder.writeSkill("held", "Do it otherwise.\n");
  await syncSources(app, ["acme"]);
  await say(app, ada, "approve", "acme:held", { digest: older, rollback: true });
  await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
  await addConfiguration(permitLlm(app, "operate"), "support", { provider: "echo", model: "small", budget: 5000 });
  page = await room.signedIn();
});

afterAll(async () => {
  await room.close();
  await browser.close();
});

/** Something that others see happens: a new generation. */
async function newGeneration(): Promise<void> {
  const { snapshot } = await room.app.registry.look();
  const word = snapshot.usable.has("acme:plain") ? "disable" : "approve";
  await say(room.app, ada, word, "acme:plain");
}

interface Sent {
  readonly path: string;
  readonly isByItself: boolean;
}

/** What a page asks the API for, from now on; the list grows. */
function sentBy(of: Page): Sent[] {
  const sent: Sent[] = [];
  of.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    const isByItself = request.headers()["x-skillward-background"] === "1";
    if (pathname.startsWith("/api/")) sent.push({ path: `${pathname}${search}`, isByItself });
  });
  return sent;
}

/** As people press: a key is down for a while. */
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key, { delay: 100 });
}

function heading(name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

async function demandSound(name: string): Promise<void> {
  await screenshot(page, `living-${name}`);
  expect([name, ...(await axe(page))]).toEqual([name]);
}

describe("SV-3: two keys go to a page", () => {
  test("SV-3: `g` and a letter, pressed as people press; the letter decides nothing on the page that one is on", async () => {
    await goTo(page, "#/review");
    await page.locator("button:enabled", { hasText: "Reject" }).waitFor();
    await press("g", "r");
    await settled(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await press("g", "x");
    await heading("Scopes");
    await press("g", "s");
    await heading("Skills");
    expect((await room.app.registry.look()).facts.ledger.decisions.get("acme:waiting") ?? []).toEqual([]);
  });

  test("SV-3: a letter that is no page's does nothing; after it, keys mean what they did", async () => {
    await goTo(page, "#/review");
    await page.locator("button:enabled", { hasText: "Reject" }).waitFor();
    const view = () => page.getByRole("tab", { selected: true }).textContent();
    const before = await view();
    await press("g", "v");
    await settled(page);
    expect(await view()).toBe(before);
    await press("v");
    await expect.poll(view).not.toBe(before);
    await press("r");
    await page.getByRole("dialog").waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(page.url()).toContain("#/review");
  });
});

describe("SV-3: a page that goes on by itself", () => {
  test("T37: what it asks for by itself says so, what follows from a person's act does not", async () => {
    const sent = sentBy(page);
    await press("g", "s");
    await heading("Skills");
    await settled(page);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(({ isByItself }) => isByItself)).toEqual([]);
    sent.length = 0;
    await newGeneration();
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    await settled(page);
    expect(sent.filter(({ isByItself }) => !isByItself)).toEqual([]);
    await page.getByRole("link", { name: "Tasks" }).click();
    await heading("Tasks");
    await settled(page);
    expect(sent.filter(({ path }) => path === "/api/tasks")).toEqual([{ path: "/api/tasks", isByItself: false }]);
  });

  test("T37: a session ends beside a page that is open and goes on asking", async () => {
    const sent = sentBy(page);
    for (const _ of [1, 2]) {
      sent.length = 0;
      room.folder.clock.advance(16 * 60_000);
      await newGeneration();
      await expect.poll(() => sent.length).toBeGreaterThan(0);
      await settled(page);
    }
    await heading("Sign in");
    await page.context().close();
    page = await room.signedIn();
  });

  test("SV-3: the number beside Review is asked for alone, not with all of the overview", async () => {
    await goTo(page, "#/skills");
    const sent = sentBy(page);
    await page.reload();
    await page.getByLabel("1 waits").waitFor();
    expect(sent.map(({ path }) => path)).not.toContain("/api/overview");
  });

  test("SV-3: usage is asked for again once a minute", async () => {
    const other = await page.context().newPage();
    await other.clock.install();
    await goTo(other, "#/usage");
    await expect.poll(() => other.locator(".generation").getAttribute("data-heard")).toBe("true");
    await settled(other);
    const sent = sentBy(other);
    const usage = () => sent.filter(({ path }) => path.startsWith("/api/usage"));
    await other.clock.fastForward(45_000);
    await settled(other);
    expect(usage()).toEqual([]);
    await other.clock.fastForward(20_000);
    await expect.poll(usage).toMatchObject([{ isByItself: true }]);
    await other.close();
  });

  test("SV-7: a page that was refused while the store was away says so, and comes back by itself", async () => {
    // The stream is lost again and again, and each time the generation is the same.
    const told = 'retry: 100\nevent: generation\ndata: {"is":"generation","generation":1}\n\n';
    const away = {
      status: 503,
      contentType: "application/problem+json",
      body: '{"code":"store.failed","detail":"no"}',
    };
    await page.route("**/api/events", (route) => route.fulfill({ contentType: "text/event-stream", body: told }));
    await page.route("**/api/skills?*", (route) => route.fulfill(away));
    await goTo(page, "#/skills");
    await page.reload();
    await page.getByText("gen 1", { exact: true }).waitFor();
    await page.getByText("The database is away.").waitFor();
    await page.unroute("**/api/skills?*");
    await expect.poll(() => page.locator("td", { hasText: "acme:held" }).count()).toBeGreaterThan(0);
    expect(await page.getByText("The database is away.").count()).toBe(0);
    await page.unroute("**/api/events");
  });

  test("SV-3: events are listened to again after any answer that was none", async () => {
    for (const status of [429, 502]) {
      await page.route("**/api/events", (route) => route.fulfill({ status, body: "" }));
      const refused = page.waitForResponse((response) => response.url().endsWith("/api/events"));
      await page.reload();
      await refused;
      await heading("Skills");
      expect(await page.locator(".generation").getAttribute("data-heard")).toBe("false");
      await page.unroute("**/api/events");
      await expect.poll(() => page.locator(".generation").getAttribute("data-heard")).toBe("true");
    }
  });

  test("SV-3: a server that cannot say who is signed in is told of, and can be asked again", async () => {
    const detail = "the store is away";
    await page.route("**/api/session", (route) =>
      route.fulfill({ status: 503, contentType: "application/problem+json", json: { code: "store.away", detail } }),
    );
    await page.reload();
    await expect.poll(() => page.getByRole("alert").textContent()).toBe(detail);
    await demandSound("unknown");
    await page.unroute("**/api/session");
    await page.getByRole("button", { name: "Try again" }).click();
    await heading("Skills");
  });

  test("SV-10: the machine is looked at when the settings open; others elsewhere are asked by the button alone", async () => {
    const sent = sentBy(page);
    const asked = () => sent.map(({ path }) => path).filter((path) => path.startsWith("/api/doctor"));
    await goTo(page, "#/settings");
    await page.getByText("nobody elsewhere was asked").waitFor();
    const before = sent.length;
    await newGeneration();
    await expect.poll(() => sent.length).toBeGreaterThan(before);
    await settled(page);
    expect(asked()).toEqual(["/api/doctor?offline=true"]);
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("nobody elsewhere was asked").waitFor({ state: "detached" });
    expect(asked()).toEqual(["/api/doctor?offline=true", "/api/doctor?offline=false"]);
  });
});

describe("RV-14, CO-6, RT-8: what is offered, kept and shown", () => {
  test("RV-14: what is held may be used, and is offered to be attached and for a scope", async () => {
    await goTo(page, "#/configurations/support");
    await page.getByRole("button", { name: "Attach a skill" }).click();
    const held = page.locator("dialog .line", { hasText: "acme:held" });
    await held.getByText("held", { exact: true }).last().waitFor();
    expect(await page.locator("dialog .line", { hasText: "acme:waiting" }).count()).toBe(0);
    await demandSound("attach");
    await held.getByRole("button", { name: "Attach" }).click();
    await page.getByRole("link", { name: "acme:held" }).first().waitFor();
    await page.getByRole("button", { name: "Attach a skill" }).click();
    await held.getByText("attached", { exact: true }).waitFor();
    expect(await held.getByRole("button").count()).toBe(0);
    await page.getByRole("button", { name: "Done" }).click();

    await goTo(page, "#/");
    await page.getByRole("link", { name: "may be used" }).click();
    await page.locator("td", { hasText: "acme:held" }).waitFor();
    expect(await page.locator("td", { hasText: "acme:waiting" }).count()).toBe(0);

    await goTo(page, "#/scopes");
    await page.locator(".line", { hasText: "acme:held" }).getByRole("button", { name: "Add" }).click();
    await page.getByLabel("Skills in the set").getByText("acme:held").waitFor();
    await page.getByRole("button", { name: "Compose" }).click();
    await page.getByText("What comes of it").waitFor();
    await demandSound("scopes");
  });

  test("CO-6: a budget is not emptied by mistake, and says so", async () => {
    await goTo(page, "#/configurations/support");
    await page.getByRole("button", { name: "Change" }).click();
    const budget = page.getByLabel("Budget in bytes");
    await budget.fill("");
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.locator("input:invalid").count()).toBe(1);
    expect(await page.getByRole("dialog").count()).toBe(1);
    await budget.fill("7000");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await showConfiguration(permitLlm(room.app, "read"), "support")).toMatchObject({ budget: 7000 });
  });

  test("RT-8: runs beyond the latest 50 are said to be there, and shown", async () => {
    await room.app.kept.transaction(async (port) => {
      for (let at = 1; at <= 55; at++) {
        const figures = { queries: 10, pAt1: at / 100, mrr: 0.5, coverage: 0.9, falseFires: 0.1 };
        const line = JSON.stringify({ by: "ada", title: `run ${at}`, generation: 1, figures });
        await port.putEvaluation("routing", { id: `ev_${String(at).padStart(4, "0")}`, at, line, report: "{}" }, 500);
      }
    });
    await goTo(page, "#/evaluations");
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(51);
    await demandSound("evaluations");
    await page.getByRole("button", { name: "Show earlier runs" }).click();
    await expect.poll(() => rows.count()).toBe(56);
    expect(await page.getByRole("button", { name: "Show earlier runs" }).count()).toBe(0);
  });
});

describe("RV-12: users and keys", () => {
  async function enters(name: string, password: string): Promise<boolean> {
    const body = JSON.stringify({ name, password });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${room.url}/api/session`, { method: "POST", headers, body })).ok;
  }

  /** What is shown, and what Copy has put where it can be pasted from. */
  async function copied(): Promise<string> {
    const secret = (await page.locator(".secret").textContent()) ?? "";
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    return secret;
  }

  test("RV-12: a password is made for somebody and shown once, when they are added and when they forgot theirs", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await goTo(page, "#/people");
    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByLabel("Name", { exact: true }).fill("ben_2");
    await demandSound("add-user");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const first = await copied();
    await demandSound("made-password");
    await page.getByRole("button", { name: "I have it" }).click();
    expect(await page.content()).not.toContain(first);
    expect(await enters("ben_2", first)).toBe(true);

    const row = page.getByRole("row", { name: "ben_2" });
    await row.getByRole("button", { name: "New password" }).click();
    await demandSound("new-password");
    await page.getByRole("button", { name: "Make it" }).click();
    const second = await copied();
    await page.getByRole("button", { name: "I have it" }).click();
    expect([await enters("ben_2", first), await enters("ben_2", second)]).toEqual([false, true]);
    // Whoever read it there would be signed out by it.
    expect(await page.getByRole("row", { name: "the-admin" }).getByText("New password").count()).toBe(0);
  });

  test("T18: a row that was written by hand is offered to be removed, and nothing that is refused", async () => {
    room.folder.sql("update users set role = 'admin' where name = 'ben_2'");
    await goTo(page, "#/people");
    await page.reload();
    const row = page.getByRole("row", { name: "ben_2" });
    await row.getByText("tampered").waitFor();
    expect(await row.getByRole("button").allTextContents()).toEqual(["Remove"]);
    expect(await row.getByRole("combobox").count()).toBe(0);
    await demandSound("tampered");
  });

  test("RV-12: a key that is not limited is for all configurations", async () => {
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("app");
    await page.getByRole("button", { name: "Make it" }).click();
    expect(await copied()).toMatch(/^skw_/);
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("row", { name: /^app / }).getByText("all configurations").waitFor();
  });
});
