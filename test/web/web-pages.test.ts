import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { prepareDemonstration } from "../../src/features/overview/demonstration.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { axe, openBrowser, outbound, type Page, type TestBrowser } from "../support/browser.ts";
import { ada, currentOf, say } from "../support/registry.ts";
import { goTo, openWebRoom, password, settled, type WebRoom } from "./web-room.ts";

let browser: TestBrowser;
let room: WebRoom;

beforeAll(async () => {
  browser = await openBrowser();
  room = await openWebRoom(browser);
});

afterAll(async () => {
  await room.close();
  await browser.close();
});

/** Nothing that axe finds, and no page that is wider than a telephone. */
async function demandSound(page: Page, where: string): Promise<void> {
  const sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect([where, await page.evaluate(sideways), ...(await axe(page))]).toEqual([where, 0]);
}

describe("SV-3: signing in", () => {
  test("RV-12, SV-4: the first link makes an admin who is in at once; then it is used up", async () => {
    const page = await room.newPage({ width: 360 });
    const sent = outbound(page, room.url);
    await goTo(page, "#/review");
    await page.getByText("No account has been made yet.").waitFor();
    await demandSound(page, "nobody yet");
    const link = await room.firstLink();
    await page.goto(link);
    await page.getByLabel("Name").fill("grace");
    await page.getByLabel("Password", { exact: true }).fill("too short");
    await page.getByText("3 more characters are needed.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password, once more").fill("something else");
    await page.getByText("The two passwords are not the same.").waitFor();
    expect(await page.getByRole("button", { name: "Make the account" }).isDisabled()).toBe(true);
    await demandSound(page, "first");
    await page.getByLabel("Password, once more").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(page.url()).not.toContain("first");

    const other = await room.newPage();
    await other.goto(link);
    await other.getByText("this link is used up").waitFor();
    expect(sent).toEqual([]);
  });

  test("SV-4, T38: a wrong password says so, too many tries say when, and who signs in goes on to where they were", async () => {
    const page = await room.newPage();
    await goTo(page, "#/sources");
    const enter = async (secret: string) => {
      await page.getByLabel("Name").fill("grace");
      await page.getByLabel("Password").fill(secret);
      await page.getByRole("button", { name: "Sign in" }).click();
      await settled(page);
    };
    await enter("not her password");
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/password/);
    await enter(password);
    await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    const data = { name: "grace", password: "guessed" };
    await Promise.all(Array.from({ length: 10 }, () => page.request.post("/api/session", { data })));
    await enter(password);
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/too many/);
    await goTo(page, "#/sign-in/failed");
    await page.getByText("You could not be signed in there.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await demandSound(page, `sign-in ${colorScheme}`);
    }
  });

  test("SV-11: with OIDC the way there is a link of this server", async () => {
    const page = await room.newPage();
    await page.route("**/api/session", async (route) => {
      const answer = await route.fetch();
      const ways = { password: true, oidc: { title: "Sign in with Example" } };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ways } });
    });
    await goTo(page, "");
    expect(await page.getByRole("link", { name: "Sign in with Example" }).getAttribute("href")).toBe("/auth/oidc");
  });
});

describe("SV-3: overview, sources, skills", () => {
  let page: Page;

  beforeAll(async () => {
    page = await room.signedIn();
  });

  test("SV-3: what needs somebody today comes first; the demonstration goes as a whole", async () => {
    await prepareDemonstration(room.app, "examples/skills");
    await goTo(page, "#/");
    await page.getByText("First steps").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await demandSound(page, `overview ${colorScheme}`);
    }
    await page.getByRole("button", { name: "Remove the demonstration" }).click();
    await demandSound(page, "remove the demonstration");
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.getByText("Removed of the demonstration").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Remove the demonstration" }).count()).toBe(0);
    expect(await room.app.kept.read.listSources()).toEqual([]);
  });

  test("SV-3: a source is added, changed, synced with progress that is seen, and removed", async () => {
    room.folder.writeSkill("notes");
    await goTo(page, "#/sources");
    await page.getByText("There is no source yet").waitFor();
    await page.keyboard.press("+");
    await page.getByRole("textbox", { name: /^What/ }).fill("/no/such/folder");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await demandSound(page, "add a source");
    await page.getByRole("textbox", { name: /^What/ }).fill(room.folder.skills);
    await page.getByLabel("Trust").selectOption("verified");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Source" }).waitFor();
    await settled(page);
    const [source] = await room.app.kept.read.listSources();
    expect(source).toMatchObject({ trust: "verified", onChange: "disable", interval: null });

    await page.getByLabel("Title").fill("Our notes");
    await page.getByRole("combobox", { name: /^Sync/ }).selectOption("86400");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 2, name: "Our notes" }).waitFor();
    expect(await room.app.kept.read.listSources()).toMatchObject([{ title: "Our notes", interval: 86_400 }]);

    room.folder.writeSkill("more");
    await page.getByRole("button", { name: "Sync now" }).click();
    await page.getByText("1 new; 1 skill as before").waitFor();
    await page.getByLabel("What the sync did").waitFor();
    await expect.poll(() => page.getByLabel("Its skills").textContent()).toContain("2 new");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await demandSound(page, `source ${colorScheme}`);
    }
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("None of its skills is in use now.").waitFor();
    await page.getByRole("button", { name: "Remove the source" }).click();
    await page.getByText("There is no source yet").waitFor();
    expect(await room.app.kept.read.listSources()).toEqual([]);
  });

  test("IN-23: how far a sync has come is seen while it runs", async () => {
    await addSource(room.app, room.folder.skills, { id: "own", sync: false });
    const progress = { done: 12, total: 40, of: "files", bytes: 900, left: 4990 };
    const body = `event: sync\ndata: ${JSON.stringify({ is: "sync", source: "own", progress })}\n\n`;
    await page.route("**/api/events", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    await page.reload();
    await goTo(page, "#/sources");
    await page.getByText("12 of 40 files, 4,990 requests left").waitFor();
    expect(await page.getByRole("progressbar").getAttribute("value")).toBe("12");
    await demandSound(page, "syncing");
    await page.unroute("**/api/events");
    await page.reload();
    await page.getByRole("button", { name: "Sync all" }).click();
    await page.getByText("1 source synced").waitFor();
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
  });

  test("SV-3: skills are filtered, rolled back, published, triggered, disabled and blocked", async () => {
    const { folder, app } = room;
    const entry = "own:notes";
    const first = await currentOf(app, entry);
    await say(app, ada, "approve", entry);
    folder.writeSkill("notes", "Do it otherwise.\n");
    await syncSources(app, ["own"]);
    await say(app, ada, "approve", entry);
    await goTo(page, "#/skills");
    await page.getByLabel("Text").fill("own:notes");
    await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(2);
    await page.getByLabel("State").selectOption("blocked");
    await page.getByText("No skill fits that").waitFor();
    await page.getByRole("link", { name: "Show all of them" }).click();
    await expect.poll(() => page.getByLabel("Text").inputValue()).toBe("");
    await demandSound(page, "skills");

    await goTo(page, `#/skills/${encodeURIComponent(entry)}?tab=revisions`);
    await page.locator(".diff-line", { hasText: "Do it otherwise." }).waitFor();
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("button", { name: "Approve this older revision" }).click();
    await page.getByText("it is held now").waitFor();
    const { snapshot } = await app.registry.look();
    expect(snapshot.usable.get(entry)?.digest).toBe(first);

    await page.getByLabel("A phrase").fill("take notes");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove the trigger take notes" }).waitFor();
    await page.getByLabel("Anybody may fetch it").click();
    await page.getByText("Switched on by the-admin").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const tab of ["Rendered", "Raw", "Files", "Provenance", "Revisions", "Decisions", "Used"]) {
        await page.getByRole("tab", { name: tab }).click();
        await settled(page);
        await demandSound(page, `${tab} ${colorScheme}`);
      }
    }
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Take it out of use" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).first().textContent()).toContain("disabled");
    await page.getByRole("region", { name: "Publishing" }).getByText("it is disabled, and not served").waitFor();
    await page.getByRole("button", { name: "Block this digest" }).click();
    await page.getByLabel("Reason").fill("it was a test");
    await page.getByRole("button", { name: "Block it" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).first().textContent()).toContain("blocked");
    await page.getByRole("button", { name: "Lift the block" }).click();
    await page.getByLabel("Reason").fill("it was one, indeed");
    await page.getByRole("button", { name: "Lift it" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 2 }).first().textContent()).toContain("disabled");
  });

  test("SV-3: a page that is not there says so, and so does a skill or a source", async () => {
    for (const place of ["#/nowhere", "#/constructor"]) {
      await goTo(page, place);
      expect(await page.getByRole("main").textContent()).toContain("There is no such page");
    }
    for (const place of ["#/skills/nobody%3Anothing", "#/sources/nothing", "#/review/nobody%3Anothing"]) {
      await goTo(page, place);
      await page.getByRole("alert").first().waitFor();
      await demandSound(page, place);
    }
  });
});
