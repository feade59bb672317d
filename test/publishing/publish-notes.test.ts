import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { openPublishing } from "../../src/features/workspace/flow.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { FakeRepository } from "../../src/testing/github/script.ts";
import { planAddition } from "../../src/workspace/add.ts";
import { installLocked } from "../../src/workspace/install.ts";
import { placeSkill } from "../../src/workspace/place.ts";
import type { Publishing } from "../../src/workspace/workspace.ts";
import { planUpdates } from "../../src/workspace/update.ts";
import { Site, skillText } from "../support/publish-site.ts";

let site: Site;
let repository: FakeRepository;
let first: string;
beforeEach(async () => {
  site = await Site.open();
  ({ repository, first } = await site.skills());
});
afterEach(() => site.close());

/** What is said besides the results. */
async function notesOf(accept: readonly string[], act: (publishing: Publishing) => Promise<unknown>) {
  const notes: string[] = [];
  const publishing = await openPublishing(createWorld(), parseEnvironment({ HOME: site.home.root }), {
    dir: site.workspace.root,
    accept,
    onFile: () => {},
    onNote: (text) => notes.push(text),
    needsLock: false,
  });
  try {
    await act(publishing);
  } finally {
    await publishing.close();
  }
  return notes;
}

async function add(publishing: Publishing, typed: string): Promise<void> {
  const { placement } = await planAddition(publishing, typed, null);
  if (placement !== null) await placeSkill(publishing.disk, publishing.workspace.root, placement);
}

const adding = (typed: string) => (publishing: Publishing) => add(publishing, typed);
const updating = (publishing: Publishing) => planUpdates(publishing, [], false);
const installing = (publishing: Publishing) => installLocked(publishing, true);

const unused = (code: string) => `--accept ${code}: nothing of that code stood in the way`;

describe("AG-11: a code that is accepted and lifts nothing is said", () => {
  test("when adding; one that lifted something is not", async () => {
    const fork = await repository.fork("mallory/skills");
    const strange = await fork.push({ "skills/pdf/SKILL.md": skillText("pdf", "Mallory's.") });
    expect(await notesOf(["pin.unreachable"], adding(`acme/skills/skills/pdf@${strange}`))).toEqual([]);
    expect(await notesOf(["pin.unreacheable", "pin.moved"], adding("acme/skills/skills/xlsx"))).toEqual([
      unused("pin.unreacheable"),
      unused("pin.moved"),
    ]);
    expect(await notesOf(["pin.unreachable", "pin.moved"], installing)).toEqual([
      unused("pin.unreachable"),
      unused("pin.moved"),
    ]);
    site.workspace.write(".agents/skills/pdf/SKILL.md", "mine");
    expect(await notesOf(["pin.unreachable", "pin.moved"], installing)).toEqual([unused("pin.moved")]);
  });

  test("when updating: once for all skills, and not where it lifted something for one of them", async () => {
    await repository.tag("v1", first);
    await notesOf([], adding("acme/skills/skills/pdf@v1"));
    await notesOf([], adding("acme/skills/skills/xlsx"));
    expect(await notesOf(["pin.moved"], updating)).toEqual([unused("pin.moved")]);
    await repository.tag("v1", await repository.push({ "skills/pdf/a": "a", "skills/xlsx/a": "a" }));
    expect(await notesOf(["pin.moved", "path.link"], updating)).toEqual([unused("path.link")]);
  });

  test("T34: whatever was typed shows as what it is", async () => {
    const [note = ""] = await notesOf(["\u001b[31mred\u202e"], adding("acme/skills/skills/pdf"));
    expect(note).toContain("nothing of that code");
    // oxlint-disable-next-line no-control-regex
    expect(note).not.toMatch(/[\u001b\u202e]/);
  });
});

test("T42: what an interrupted change put aside, and nobody can decide on, is said", async () => {
  await notesOf([], adding("acme/skills/skills/pdf"));
  site.workspace.write(".agents/skills/.pdf.0123abcd.old/SKILL.md", "Earlier work");
  site.workspace.write(".agents/skills/pdf/SKILL.md", "My own work");
  const before = site.written();
  expect(await notesOf([], async () => undefined)).toEqual([
    expect.stringMatching(
      /^\.agents\/skills\/\.pdf\.0123abcd\.old looks like what an interrupted change put aside, and is not put back/,
    ),
  ]);
  expect(site.written()).toEqual(before);
});
