import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld } from "./world.ts";

const { files, clock } = createWorld();
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
afterAll(() => rmSync(room, { recursive: true, force: true }));

describe("T24: only what is there in person is opened, even when the caller did not look first", () => {
  test.each(["link", "folder-link", "loop", "folder", "nothing"])("%s is not read", async (name) => {
    await expect(files.read(at(name), 100)).rejects.toMatchObject({ name: "AppError" });
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

test("the clock is the machine's", () => {
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
});
