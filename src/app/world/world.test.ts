import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld } from "./world.ts";

const { files, clock, holders } = createWorld();
let room = "";
const at = (name: string) => join(room, name);

beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), "skillward-world-"));
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "12345");
  symlinkSync("file", at("link"));
  symlinkSync("folder", at("folder-link"));
  symlinkSync("loop", at("loop"));
  spawnSync("mkfifo", [at("pipe")]);
});
/** What a file that this process has open is. */
const pathOf = (descriptor: string) => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
};
afterAll(() => rmSync(room, { recursive: true, force: true }));

describe("T24: only what is there in person is opened, even when the caller did not look first", () => {
  test.each(["link", "folder-link", "loop", "folder", "nothing"])("%s is not read", async (name) => {
    await expect(files.read(at(name), 100)).rejects.toMatchObject({ name: "AppError" });
    await expect(files.readStamped(at(name), 100)).rejects.toMatchObject({ name: "AppError" });
  });

  test("a pipe that nobody writes to does not hang the reader", async () => {
    let released = false;
    const release = setTimeout(() => {
      released = true;
      closeSync(openSync(at("pipe"), constants.O_WRONLY | constants.O_NONBLOCK));
    }, 30_000);
    await expect(files.read(at("pipe"), 100)).rejects.toMatchObject({ code: "path.wrong-kind" });
    clearTimeout(release);
    expect(released).toBe(false);
  });

  test.each(["link", "folder-link", "pipe", "file", "nothing"])("%s is not listed", async (name) => {
    await expect(files.list(at(name), 100)).rejects.toMatchObject({ name: "AppError" });
  });

  test("a link is a link, whatever it points to; only resolving follows it", async () => {
    expect([await files.kind(at("link")), await files.kind(at("folder-link"))]).toEqual(["link", "link"]);
    expect(await files.resolve(at("folder-link"))).toBe(await files.resolve(at("folder")));
  });
});

describe("SK-3: bounds", () => {
  test("a file up to the bound is read whole, above it only its size is told", async () => {
    expect(await files.read(at("file"), 5)).toEqual(new Uint8Array(Buffer.from("12345")));
    expect(await files.read(at("file"), 4)).toEqual({ size: 5 });
  });

  test("the stamp that comes with the bytes is that of the path", async () => {
    const stamp = await files.stamp(at("file"));
    expect(await files.readStamped(at("file"), 5)).toEqual({ stamp, bytes: new Uint8Array(Buffer.from("12345")) });
    expect(await files.readStamped(at("file"), 4)).toEqual({ stamp, bytes: null });
  });

  test.runIf(existsSync("/proc/self/status"))("a file that holds more than its size says is refused", async () => {
    await expect(files.read("/proc/self/status", 100_000)).rejects.toMatchObject({
      code: "disk.failed",
      message: expect.stringContaining("changed while it was read"),
    });
  });

  test.runIf(existsSync("/proc/self/fd"))("whatever comes of it, no file stays open", async () => {
    const held = () => readdirSync("/proc/self/fd").filter((name) => pathOf(name).startsWith(room)).length;
    for (const name of ["file", "pipe", "folder", "link"]) await files.read(at(name), 4).catch(() => {});
    await files.read(at("file"), 5);
    expect(held()).toBe(0);
  });

  test("a listing says when there is more, and is in byte order", async () => {
    expect(await files.list(room, 2)).toMatchObject({ complete: false });
    const { entries, complete } = await files.list(room, 100);
    const names = ["file", "folder", "folder-link", "link", "loop", "pipe"];
    expect({ names: entries.map(({ name }) => name), complete }).toEqual({ names, complete: true });
  });
});

test("writing replaces a file as a whole and leaves nothing else behind", async () => {
  await files.write(at("new/deep/file"), Buffer.from("one"));
  await files.write(at("new/deep/file"), Buffer.from("two"));
  expect(readFileSync(at("new/deep/file"), "utf8")).toBe("two");
  await expect(files.write(at("folder"), Buffer.from("x"))).rejects.toMatchObject({ code: "disk.failed" });
  expect([readdirSync(at("new/deep")), readdirSync(room).filter((name) => name.endsWith(".tmp"))]).toEqual([
    ["file"],
    [],
  ]);
});

describe("T42: what a killed process leaves behind", () => {
  test("beside a file is taken away after an hour; what somebody may still be writing, and other files, stay", async () => {
    const folder = at("left");
    mkdirSync(folder);
    const old = new Date(clock.now() - 3_700_000);
    const kept = ["keys.json", "keys.json.2-0123abcd.tmp", "keys.json.tmp", "other.json.1-0123abcd.tmp"];
    for (const name of [...kept, "keys.json.1-0123abcd.tmp"]) writeFileSync(join(folder, name), "");
    for (const name of readdirSync(folder)) if (name !== kept[1]) utimesSync(join(folder, name), old, old);
    await files.tidy(join(folder, "keys.json"));
    expect(readdirSync(folder)).toEqual(kept);
    await files.tidy(at("nowhere/keys.json"));
  });

  test("holds no lock, also when its number is somebody else's by now; nor does work that has ended", () => {
    const work = holders.begin();
    const { pid } = spawnSync("true");
    const [host] = holders.self.split(/:\d+$/);
    expect(holders.mayRun(work.name)).toBe(true);
    work.end();
    expect(
      [work.name, `${holders.self}:0123abcd`, `${host}:${pid}:0123abcd`].map((holder) => holders.mayRun(holder)),
    ).toEqual([false, false, false]);
  });

  test("is not taken for dead while it may run: elsewhere, or under a number that is in use", () => {
    const [host] = holders.self.split(/:\d+$/);
    expect(
      [`${host}:${process.ppid}:0123abcd`, "elsewhere:1:0123abcd", "?"].map((holder) => holders.mayRun(holder)),
    ).toEqual([true, true, true]);
  });
});

test("the clock is the machine's", () => {
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
});
