import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../app/world/world.ts";
import { openTrustBook } from "./trust-book.ts";

let room: string;

beforeEach(async () => {
  room = await realpath(await mkdtemp(join(tmpdir(), "skillward-trust-")));
});

afterEach(() => rm(room, { recursive: true, force: true }));

const one = { mark: "a".repeat(64), note: "deploy in /w/a\nwith two lines" };
const two = { mark: "b".repeat(64), note: "" };

describe("AG-2: the book of trust", () => {
  const book = () => openTrustBook(createWorld().files, join(room, "config"));

  it("AG-2: is empty where there is none, and has what was added once and for all", async () => {
    expect(await book().read()).toEqual({ marks: new Set(), findings: [] });
    await book().add([one, two]);
    await book().add([one]);
    expect(await book().read()).toEqual({ marks: new Set([one.mark, two.mark]), findings: [] });
    expect(await readFile(join(room, "config/trust", one.mark), "utf8")).toBe('"deploy in /w/a\\nwith two lines"\n');
    expect((await stat(join(room, "config/trust", one.mark))).mode & 0o777).toBe(0o600);
  });

  it("AG-2: what is no mark is none", async () => {
    await book().add([one]);
    await writeFile(join(room, "config/trust/notes.txt"), "");
    await mkdir(join(room, "config/trust", two.mark));
    expect((await book().read()).marks).toEqual(new Set([one.mark]));
    await expect(book().add([{ mark: "../../x", note: "" }])).rejects.toMatchObject({ code: "usage.invalid" });
    expect(await readdir(room)).toEqual(["config"]);
  });

  it("AG-2, T44: a folder that others can enter, or a link to one, is not believed", async () => {
    await book().add([one]);
    await chmod(join(room, "config/trust"), 0o777);
    const opened = await book().read();
    expect([opened.marks.size, opened.findings[0]?.code]).toEqual([0, "agent.trust-unread"]);
    await expect(book().add([two])).rejects.toMatchObject({ code: "disk.failed" });
    expect(await readdir(join(room, "config/trust"))).toEqual([one.mark]);
    await chmod(join(room, "config/trust"), 0o700);
    await mkdir(join(room, "linked"));
    await symlink(join(room, "config/trust"), join(room, "linked/trust"));
    const linked = await openTrustBook(createWorld().files, join(room, "linked")).read();
    expect([linked.marks.size, linked.findings[0]?.code]).toEqual([0, "agent.trust-unread"]);
  });
});
