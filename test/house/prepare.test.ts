import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const sources = ["package.json", "scripts/prepare.mjs", "src/core/a.ts", "web/app.tsx", "web/.contract/made.d.ts"];
const built = ["dist/cli.js", "dist/types/index.d.ts", "dist/web/index.html"];
const folders = ["src", "src/core", "web", "scripts"];

const leaveMark = "touch mark";

/** A clone whose build leaves a mark, with everything as old as it is here: seconds. */
function clone() {
  const root = mkdtempSync(join(tmpdir(), "skillward-prepare-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of [...sources, ...built]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  cpSync("scripts/prepare.mjs", join(root, "scripts/prepare.mjs"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", scripts: { build: leaveMark } }));
  const age = (path: string, at: number) => utimesSync(join(root, path), at, at);
  for (const path of [...sources, ...folders]) age(path, 1000);
  for (const path of built) age(path, 2000);
  /** A stand-in for npm runs the build; starting npm itself takes longer than all the rest. */
  const isMade = ({ withNpm = false } = {}) => {
    const programs = join(root, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "npm"), `#!/bin/sh\n[ "$*" = "run build --silent" ] && ${leaveMark}\n`, {
      mode: 0o755,
    });
    const path = process.env["PATH"] ?? "";
    const env = { ...process.env, PATH: withNpm ? path : `${programs}:${path}` };
    const { status } = spawnSync(process.execPath, [join(root, "scripts/prepare.mjs")], { cwd: tmpdir(), env });
    return [status, existsSync(join(root, "mark"))];
  };
  return { root, age, isMade };
}

test("npm prepare: a build that is newer than its sources is left alone: a server may run from it", () => {
  const { age, isMade } = clone();
  age("web/.contract/made.d.ts", 3000);
  expect(isMade()).toEqual([0, false]);
});

test("npm prepare: npm builds it", () => {
  const { age, isMade } = clone();
  age("src/core/a.ts", 3000);
  expect(isMade({ withNpm: true })).toEqual([0, true]);
});

test.each([...folders, "package.json", "src/core/a.ts"])("npm prepare: it is built when %s is newer", (path) => {
  const { age, isMade } = clone();
  age(path, 3000);
  expect(isMade()).toEqual([0, true]);
});

test.each(built)("npm prepare: it is built when %s is missing", (path) => {
  const { root, isMade } = clone();
  rmSync(join(root, path));
  expect(isMade()).toEqual([0, true]);
});
