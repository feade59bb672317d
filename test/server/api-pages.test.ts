import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFolder } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { ada } from "../support/registry.ts";
import { allow } from "../support/permits.ts";

const names = Array.from({ length: 250 }, (_, at) => `skill-${String(at).padStart(3, "0")}`);

let room: ApiRoom;
beforeAll(async () => {
  room = await openApiRoom();
  for (const name of names) room.folder.writeSkill(name);
  await addFolder(room.app.sync, allow(ada), room.folder.skills, { id: "skills" });
  await runSync(room.app.sync, allow(ada), "skills");
});
afterAll(() => room.close());

interface Page {
  readonly items: readonly { readonly entry: string }[];
  readonly total: number;
  readonly more: number;
  readonly next: string | null;
}

/** Page after page, as a client goes; `between` is done after each of them. */
async function walk(path: string, limit: number, between: (pages: number) => Promise<void> = async () => {}) {
  const pages: Page[] = [];
  for (let after: string | null = ""; after !== null; after = pages.at(-1)?.next ?? null) {
    const query = new URLSearchParams({ limit: String(limit), ...(after === "" ? {} : { after }) });
    pages.push((await room.call("GET", `${path}?${query.toString()}`)).json());
    await between(pages.length);
  }
  return pages;
}

const entriesOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ entry }) => entry));
const all = names.map((name) => `skills:${name}`);

describe.each(["/api/skills", "/api/review"])("SV-2: pages of %s", (path) => {
  test.each([7, 100, 249, 250, 251, 500])("SV-2: of %d: every entry exactly once, in order", async (limit) => {
    const pages = await walk(path, limit);
    expect(entriesOf(pages)).toEqual(all);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => 250));
    expect(pages.map(({ more }) => more)).toEqual(pages.map((_, at) => Math.max(0, 250 - (at + 1) * limit)));
  });

  test("SV-2: without a limit a hundred, and behind the last nothing", async () => {
    const first: Page = (await room.call("GET", path)).json();
    expect([first.items.length, first.more, first.next]).toEqual([100, 150, "skills:skill-099"]);
    const last: Page = (await room.call("GET", `${path}?after=skills%3Askill-249`)).json();
    expect(last).toMatchObject({ items: [], total: 250, more: 0, next: null });
  });
});

test("SV-2: what comes and goes between two pages neither repeats an entry nor leaves one out", async () => {
  const pages = await walk("/api/skills", 100, async (page) => {
    if (page !== 1) return;
    // One before where the first page ended, one behind it; and the very entry that the next page goes on after is gone.
    room.folder.writeSkill("skill-000-early");
    room.folder.writeSkill("skill-150-late");
    room.folder.removeSkill("skill-099");
    await runSync(room.app.sync, allow(ada), "skills");
  });
  const seen = entriesOf(pages);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((entry) => all.includes(entry))).toEqual(all);
  expect(seen.filter((entry) => !all.includes(entry))).toEqual(["skills:skill-150-late"]);
});
