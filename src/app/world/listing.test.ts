import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFolder } from "./listing.ts";

let room: string;

beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), "skillward-list-"));
});

afterEach(() => rm(room, { recursive: true, force: true }));

describe("SK-11: listing a folder", () => {
  /** So few that even a small folder could hold more: it is listed by parts. And more than a small folder can hold. */
  const bounds = [10, 10_000];

  it.each(bounds)("SK-11: with at most %i names, the same in the order of their bytes", async (max) => {
    // By units the two of the picture, U+1F600, would come before the one of U+FF41; by bytes they come after it.
    for (const name of ["b", "B", "ä", "\uff41", "\u{1f600}", "real \ufffd"]) await writeFile(join(room, name), "");
    await writeFile(Buffer.concat([Buffer.from(`${room}/odd `), Buffer.from([0xff])]), "");
    await mkdir(join(room, "folder"));
    await symlink(room, join(room, "link"));
    const { entries, complete } = await listFolder(room, max);
    expect(complete).toBe(true);
    expect(entries).toEqual([
      { name: "B", kind: "file" },
      { name: "b", kind: "file" },
      { name: "folder", kind: "folder" },
      { name: "link", kind: "link" },
      { name: "odd \ufffd", kind: "unnameable" },
      { name: "real \ufffd", kind: "file" },
      { name: "ä", kind: "file" },
      { name: "\uff41", kind: "file" },
      { name: "\u{1f600}", kind: "file" },
    ]);
  });

  it("SK-11: never more than was asked for, and a link is no folder", async () => {
    for (let at = 0; at < 400; at++) await writeFile(join(room, `${at}`), "");
    for (const max of [1, 399]) {
      const { entries, complete } = await listFolder(room, max);
      expect([entries.length, complete]).toEqual([max, false]);
    }
    expect((await listFolder(room, 400)).complete).toBe(true);
    await symlink(room, join(room, "link"));
    await expect(listFolder(join(room, "link"), 10)).rejects.toMatchObject({ code: "path.wrong-kind" });
    await expect(listFolder(join(room, "1"), 10)).rejects.toMatchObject({ code: "path.wrong-kind" });
  });
});
