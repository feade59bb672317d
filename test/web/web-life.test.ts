import { afterAll, beforeAll, expect, test } from "vitest";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { axe, openBrowser, outbound, type Page, screenshot, type TestBrowser } from "../support/browser.ts";
import { RegistryFolder, skillText } from "../support/registry.ts";
import { skillFiles } from "../support/remote.ts";
import { forRun } from "../support/long-run.ts";
import { goTo, openWebRoom, password, type WebRoom } from "./web-room.ts";

/** One registry, one browser and one page: each test goes on where the one before has ended. */
let browser: TestBrowser;
let github: FakeGitHub;
let repository: FakeRepository;
let folder: RegistryFolder;
let room: WebRoom;
let page: Page;
let left: readonly string[];
let key = "";

beforeAll(async () => {
  github = await startGitHub();
  repository = await github.repository("acme/skills");
  await repository.push(skillFiles(["release-notes", "pdf-forms"]));
  folder = new RegistryFolder({ config: github.configuration("here") });
  browser = await openBrowser();
  room = await openWebRoom(browser, { registry: { folder, app: await folder.open() } });
  page = await room.newPage({ width: 1600, height: 1000 });
  left = outbound(page, room.url);
});

afterAll(async () => {
  await room.close();
  await browser.close();
  await folder.remove();
  await github.close();
});

const entry = "skills:skills/release-notes";
const everyPage = [
  "",
  "review",
  `review/${encodeURIComponent(entry)}`,
  "skills",
  `skills/${encodeURIComponent(entry)}`,
  "sources",
  "sources/skills",
  "configurations",
  "configurations/support",
  "tasks",
  "routing",
  "scopes",
  "evaluations",
  "usage",
  "audit",
  "people",
  "settings",
  "api",
];

test("SV-3, CO-7: from the first link to a skill in a prompt, in usage and in the audit", async () => {
  await becomeAdmin();
  await addSource();
  await approve();
  await setUp();
  key = await makeKey();
  expect(await chat()).toContain("Skill: release-notes");
  await seeUse();
});

test("SV-3, RV-4, T28: upstream changes: it is out of use, and what changed stands before the reviewer", async () => {
  const changed = `${skillText("release-notes")}\ncurl https://cdn.example.net/x\n`;
  await repository.push({ "skills/release-notes/SKILL.md": changed });
  await goTo(page, "#/sources/skills");
  await page.getByRole("button", { name: "Sync now" }).click();
  await page.getByText("1 changed").first().waitFor();
  expect(await chat()).not.toContain("Skill: release-notes");
  await goTo(page, `#/review/${encodeURIComponent(entry)}`);
  await page.getByText("new host").waitFor();
  await expect.poll(() => page.locator("main").textContent()).toContain("cdn.example.net");
});

type Look = readonly [width: number, colorScheme: "light" | "dark"];

const looks: readonly Look[] = [
  [360, "light"],
  [1024, "dark"],
  [1600, "light"],
];
const otherLooks: readonly Look[] = [
  [360, "dark"],
  [1024, "light"],
  [1600, "dark"],
];

test("SV-3: every page at three widths, light and dark: no fault by axe-core, no sideways scrolling", async () => {
  const wrong: string[] = [];
  for (const [width, colorScheme] of forRun({ short: looks, long: [...looks, ...otherLooks] })) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 1000 });
    await page.emulateMedia({ colorScheme });
    for (const each of everyPage) wrong.push(...(await faultsOf(each, width, colorScheme)));
  }
  expect(wrong).toEqual([]);
}, 300_000);

test("SV-3, RV-1: it is rejected, and the revision of before is let in again; nothing was ever loaded from elsewhere", async () => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  await goTo(page, `#/review/${encodeURIComponent(entry)}`);
  await page.locator("button:enabled", { hasText: "Reject" }).waitFor();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.type("it fetches a page that nobody reviewed");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.waitFor({ state: "detached" });
  await goTo(page, `#/skills/${encodeURIComponent(entry)}?tab=revisions`);
  await page.getByRole("button", { name: "Roll back" }).first().click();
  await dialog.getByRole("button", { name: "Approve this older revision" }).click();
  await expect.poll(() => chat()).toContain("Skill: release-notes");
  expect(await chat()).not.toContain("cdn.example.net");
  expect(left).toEqual([]);
});

async function becomeAdmin(): Promise<void> {
  await page.goto(await room.firstLink());
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password, once more").fill(password);
  await page.locator("button[type=submit]").click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** What is typed, and the sync that follows, as they happen. */
async function addSource(): Promise<void> {
  await goTo(page, "#/sources");
  await page.getByRole("button", { name: "Add a source" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What", { exact: true }).fill("acme/skills");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText("2 new").first().waitFor();
}

/** With the keyboard alone. */
async function approve(): Promise<void> {
  await page.keyboard.press("Escape");
  await goTo(page, `#/review/${encodeURIComponent(entry)}`);
  await page.getByRole("heading", { level: 2, name: "release-notes", exact: true }).waitFor();
  await page.locator("button:enabled", { hasText: "Approve this digest" }).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("heading", { level: 2, name: "pdf-forms", exact: true }).waitFor();
}

async function setUp(): Promise<void> {
  await goTo(page, "#/settings");
  await page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("echo");
  await dialog.getByLabel("Protocol").selectOption("echo");
  await dialog.getByLabel("Models").fill("*");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("echo").first().waitFor();
  await goTo(page, "#/configurations");
  await page.getByRole("button", { name: "Add a configuration" }).click();
  await dialog.getByLabel("Name").fill("support");
  await dialog.getByLabel("Provider").fill("echo");
  await dialog.getByLabel("Model", { exact: true }).fill("m");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "support" }).waitFor();
  await page.getByRole("button", { name: "Attach a skill" }).click();
  // RV-14: only what may be used is offered.
  await dialog.getByText("release-notes").first().waitFor();
  expect(await dialog.getByText("pdf-forms").count()).toBe(0);
  await dialog.getByRole("button", { name: "Attach", exact: true }).click();
  // CO-7: what a prompt would get, before any was sent.
  await page.getByText("Before the first user message").click();
  await expect.poll(() => page.locator(".block pre").first().textContent()).toContain("Skill: release-notes");
}

/** Shown once, on its page. */
async function makeKey(): Promise<string> {
  await goTo(page, "#/people");
  await page.getByRole("button", { name: "Make a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("app");
  await dialog.getByRole("button", { name: "Make it" }).click();
  const made = (await page.locator(".secret").textContent()) ?? "";
  await page.getByRole("button", { name: "I have it" }).click();
  return made;
}

/** As any client of OpenAI asks. */
async function chat(): Promise<string> {
  const answer = await fetch(`${room.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "support", messages: [{ role: "user", content: "Write the notes." }] }),
  });
  return answer.text();
}

async function seeUse(): Promise<void> {
  await goTo(page, "#/usage");
  // It is written down by the batch.
  const look = async () => {
    await page.getByRole("button", { name: "Look again" }).click();
    return page.locator("main").textContent();
  };
  await expect.poll(look).toContain("release-notes");
  await goTo(page, "#/audit?act=decision.");
  await expect.poll(() => page.locator("table").textContent()).toContain("decision.approve");
  await page.getByRole("button", { name: "Verify it" }).click();
  await page.getByText("Everything is as it was written.").waitFor();
}

/** A picture to look at, and what can be said of it without looking. */
async function faultsOf(place: string, width: number, colorScheme: string): Promise<string[]> {
  await goTo(page, `#/${place}`);
  const name = place.replaceAll("/", "_").replaceAll(/%..|[^\w-]+/g, "-") || "overview";
  await screenshot(page, `${name}-${width}-${colorScheme}`);
  // What axe-core looks at depends on colours and, a little, on the width.
  const found = width === 1024 || colorScheme === "dark" ? await axe(page) : [];
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  const isTooWide = over > 0 ? [`${over} px too wide`] : [];
  return [...found, ...isTooWide].map((fault) => `${place} at ${width} ${colorScheme}: ${fault}`);
}
