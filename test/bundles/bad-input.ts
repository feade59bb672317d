import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Ended } from "../support/cli.ts";
import { skillwardWarm } from "../support/warm.ts";

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const isRoot = process.getuid?.() === 0;
/** Whom permissions hold for: root reads everything, so there the command runs as nobody. */
export const someone = isRoot ? { uid: 65_534, gid: 65_534 } : {};
/** In a skill outside of what is checked; nothing may ever show it. */
export const secret = "outside-secret";

/** The built command in a folder that any user can read. */
let installed = "";
let work = "";
const closed: string[] = [];

/** A folder of its own for every test, with the built command beside it and a secret outside of what is checked. */
export function inRoom(): void {
  beforeAll(() => {
    if (!existsSync(join(repository, "dist/cli.js"))) throw new Error("dist is missing: npm run build first");
    installed = openFolder("skillward-installed-");
    cpSync(join(repository, "dist"), join(installed, "dist"), { recursive: true });
    writeFileSync(join(installed, "package.json"), '{ "type": "module" }');
  });

  afterAll(() => {
    if (installed !== "") rmSync(installed, { recursive: true });
  });

  beforeEach(() => {
    work = openFolder("skillward-bad-input-");
    writeSkill("outside", secret);
  });

  afterEach(() => {
    for (const each of closed.splice(0)) chmodSync(each, 0o755);
    rmSync(work, { recursive: true });
  });
}

function openFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o755);
  return folder;
}

/** Takes every permission away; given back before the folder is removed. */
export function close(...inside: string[]): void {
  chmodSync(path(...inside), 0o000);
  closed.push(path(...inside));
}

export function path(...inside: string[]): string {
  return join(work, ...inside);
}

export function makeFolder(...inside: string[]): string {
  mkdirSync(path(...inside), { recursive: true });
  return path(...inside);
}

export function writeSkill(folder: string, name = folder): void {
  writeFileSync(join(makeFolder(folder), "SKILL.md"), `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody.\n`);
}

/** A pipe (`p`) or a device (`c`, major, minor). False where it may not be made. */
export function makeNode(inside: string, ...what: string[]): boolean {
  return spawnSync("mknod", [path(inside), ...what]).status === 0;
}

/** The warm process has the rights of the test; a command with the rights of somebody else is a process of its own. */
function skillward(args: readonly string[], as: { uid?: number; gid?: number } = {}): Ended {
  if (as.uid === undefined) return skillwardWarm(["validate", ...args], { cwd: work });
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [join(installed, "dist/cli.js"), "validate", ...args],
    { cwd: work, encoding: "utf8", timeout: 60_000, maxBuffer: 64 << 20, env: {}, ...as },
  );
  if (error !== undefined) throw error;
  return { code: status, out: stdout, err: stderr };
}

interface Found {
  readonly code: string;
  readonly message: string;
  readonly at: { readonly file: string };
}

interface Report {
  readonly skills: readonly {
    readonly name: string;
    readonly loadable: boolean;
    readonly strict: boolean;
    readonly passes: boolean;
    readonly files: readonly { readonly path: string }[];
    readonly findings: readonly Found[];
  }[];
  readonly findings: readonly Found[];
  readonly error?: { readonly code: string; readonly message: string };
}

interface Answer {
  readonly text: Ended;
  readonly report: Report;
  /** Every code of the report: of the set, of its skills, of an error. */
  readonly codes: readonly string[];
}

/** Asks as a person and as a program. What holds for every answer to bad input is checked here. */
export function ask(target: string, exit: number, as: { uid?: number; gid?: number } = {}): Answer {
  const text = skillward([target], as);
  const json = skillward([target, "--json"], as);
  for (const { out, err } of [text, json]) {
    expect(out + err).not.toMatch(/\n\s+at /);
    expect(out + err).not.toContain("unexpected");
    expect(out + err).not.toContain(secret);
    // oxlint-disable-next-line no-control-regex
    expect(out + err).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
  }
  expect(json.err).toBe("");
  const report: Report = JSON.parse(json.out);
  expect([text.code, json.code]).toEqual([exit, exit]);
  return { text, report, codes: codesOf(report) };
}

function codesOf({ error, findings = [], skills = [] }: Partial<Report>): string[] {
  const found = [...findings, ...skills.flatMap((skill) => skill.findings)].map(({ code }) => code);
  return error === undefined ? found : [error.code, ...found];
}

/** An answer that is an error: said on standard error, with the path, and as JSON with its code. */
export function askInVain(target: string, exit: number): Answer {
  const answer = ask(target, exit);
  expect(answer.text.out).toBe("");
  expect(answer.text.err).toContain(target);
  expect(answer.report.error?.message).toContain(target);
  return answer;
}

/** An answer that is a report with findings: all of it on standard output. */
export function askAbout(target: string, as: { uid?: number; gid?: number } = {}): Answer {
  const answer = ask(target, 1, as);
  expect(answer.text.err).toBe("");
  for (const code of answer.codes) expect(answer.text.out).toContain(code);
  return answer;
}
