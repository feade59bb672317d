import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { addSource } from "../../src/features/sources/add.ts";
import { asPerson } from "../../src/app/as-person.ts";
import { syncSources } from "../../src/features/sources/sync.ts";
import { manyRequests } from "../support/api-room.ts";
import { axe, openBrowser, type Page, type TestBrowser } from "../support/browser.ts";
import { byGithub, child, indexPath, indexText } from "../support/marketplace-site.ts";
import { ada, bob, person, say, stateIn } from "../support/registry.ts";
import { remoteRegistry, skillFiles } from "../support/remote.ts";
import { goTo, openWebRoom, settled, type WebRoom } from "./web-room.ts";

let browser: TestBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const approve = (page: Page) => page.getByRole("button", { name: "Approve this digest" });

/** Once it has stood there for a moment. */
async function pressApprove(page: Page): Promise<void> {
  await page.locator("button:enabled", { hasText: "Approve this digest" }).waitFor();
  await page.keyboard.press("a");
}

describe("RV-5: where it takes two people, and whoever adds does not review", () => {
  let room: WebRoom;

  beforeEach(async () => {
    room = await openWebRoom(browser, {
      config: "review:\n  reviewers: on\n  decisions: { community: 2 }\n  separate-adder: on\n",
    });
    onTestFinished(() => room.close());
    room.folder.writeSkill("notes");
    room.folder.writeSkill("plain");
    await addSource(asPerson(room.app, ada), room.folder.skills, { id: "acme" });
  });

  test("RV-5: the first approval says that another is needed, the second person sees whose there is", async () => {
    const page = await room.signedIn({ width: 1500 });
    await goTo(page, "#/review/acme%3Anotes");
    expect(await page.getByRole("region", { name: "New" }).getByRole("link").count()).toBe(2);
    expect(await page.getByTitle("acme:notes").textContent()).toContain("1 file");
    await page.getByText("0 of 2 approvals").first().waitFor();
    await pressApprove(page);
    await page.getByText("It comes into use when another person has approved it, too.").waitFor();
    await page.getByRole("link", { name: "reject it" }).click();
    const foot = page.locator(".review-foot");
    await foot.getByText("1 of 2 approvals: the-admin").waitFor();
    await foot.getByText("the-admin has approved it already; a second person must").waitFor();
    await settled(page);
    expect(await approve(page).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Reject" }).isDisabled()).toBe(false);
    expect(await axe(page)).toEqual([]);

    const other = await room.signedIn({ role: "reviewer", width: 1500 });
    await goTo(other, "#/review");
    const half = other.getByRole("region", { name: "One more approval needed" });
    expect(await half.getByRole("link").textContent()).toContain("new · acme");
    await other.getByText("1 of 2 approvals: the-admin").first().waitFor();
    // All of it, not what is new against what one person has approved.
    expect(await other.getByRole("tab", { selected: true }).textContent()).toBe("Raw");
    await pressApprove(other);
    await other.getByText("To undo it, disable it.").waitFor();
    expect(await stateIn(room.app, "acme:notes")).toBe("enabled");
  });

  test("RV-5: whoever added the source is told before any try, and can press nothing", async () => {
    room.folder.write("more/mine/SKILL.md", "---\nname: mine\ndescription: Mine alone.\n---\nDo it.\n");
    await addSource(asPerson(room.app, person("the-admin")), `${room.folder.root}/more`, { id: "more" });
    const page = await room.signedIn({ width: 1024 });
    await goTo(page, "#/review/more%3Amine");
    await page.getByText("the-admin added its source and may not review it; ask somebody else").waitFor();
    await settled(page);
    for (const name of ["Approve this digest", "Reject"])
      expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
    await page.keyboard.press("r");
    await page.keyboard.press("a");
    await settled(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await room.app.registry.look()).facts.ledger.decisions.get("more:mine")).toBeUndefined();
  });

  test("SV-3: what was done is told for so long, whatever page one goes to meanwhile", async () => {
    for (const who of [ada, bob].map(({ name }) => person(`other-${name}`)))
      await say(room.app, who, "approve", "acme:plain");
    room.folder.writeSkill("plain", "Do it otherwise.\n");
    await syncSources(room.app, ["acme"]);
    const page = await room.signedIn({ width: 1024 });
    await page.clock.install();
    await page.reload();
    await goTo(page, "#/review");
    await page.getByRole("region", { name: "Changed since approval" }).waitFor();
    await pressApprove(page);
    const told = page.getByRole("status").filter({ hasText: "Approved" });
    await told.waitFor();
    await page.clock.fastForward(4000);
    await page.getByRole("link", { name: "Skills" }).click();
    await page.getByRole("heading", { level: 1, name: "Skills" }).waitFor();
    await page.getByRole("link", { name: "plain" }).click();
    await told.waitFor();
    await page.clock.fastForward(9000);
    await settled(page);
    expect(await told.count()).toBe(0);
  });
});

test("IN-14: a marketplace shows its plugins: where from, at which commit, and why one is not here", async () => {
  const remote = await remoteRegistry({ config: manyRequests });
  const room = await openWebRoom(browser, { registry: remote });
  onTestFinished(() => room.close());
  const { sha } = await child(remote.github, "team/one");
  const plugins = [
    { name: "notes", source: "./plugins/notes" },
    byGithub("one", "team/one", { sha }),
    byGithub("legal", "team/legal"),
  ];
  const market = await remote.github.repository("acme/market");
  await market.push({ [indexPath]: indexText(plugins), ...skillFiles(["notes"], "plugins/notes/skills") });
  await addSource(remote.app, "acme/market", {});
  const page = await room.signedIn({ width: 360 });
  await goTo(page, "#/sources/market");
  const rows = page.getByRole("region", { name: "Plugins" }).locator("tbody tr");
  const texts = await rows.allTextContents();
  expect(texts).toEqual([
    expect.stringMatching(/^legalfailed0team\/legal.*has no repository team\/legal/),
    expect.stringMatching(/^notesread1acme\/market\/plugins\/notes[0-9a-f]{12}heads\/main$/),
    `oneread1team/one${sha.slice(0, 12)}`,
  ]);
  const sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect([await page.evaluate(sideways), ...(await axe(page))]).toEqual([0]);
  }
  await rows.nth(2).getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Skills" }).waitFor();
  await expect.poll(() => page.getByRole("region", { name: "Skills" }).locator("tbody tr").count()).toBe(1);
});
