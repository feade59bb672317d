import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../support/fixtures.ts";

const skillsVersion = "1.7.4";
const nodeVersion = "22.23.3";
/** The package needs a newer Node than ours may be: one from its own package, which brings no program to be run. */
const needsNode = Number(process.versions.node.split(".")[0]) < 23;
const nodePackage = `node-${process.platform}-${process.arch}`;

/** The public installer of skills, as its package has it, and a Node that runs it. */
export interface NpmSkills {
  readonly node: string;
  readonly cli: string;
}

/**
 * Kept in the temporary folder once it was had. Undefined, with the reason, where it cannot be: without a registry of
 * packages, or within its time.
 */
export async function getNpmSkills(): Promise<NpmSkills | { readonly why: string }> {
  const kept = join(tmpdir(), `skillward-npm-skills-${skillsVersion}-${nodeVersion}`);
  if (!existsSync(kept)) {
    const why = await install(kept);
    if (why !== undefined) return { why };
  }
  const node = needsNode ? join(kept, "node_modules", nodePackage, "bin/node") : process.execPath;
  return { node, cli: join(kept, "node_modules/skills/bin/cli.mjs") };
}

async function install(kept: string): Promise<string | undefined> {
  const staging = mkdtempSync(join(tmpdir(), "skillward-npm-"));
  try {
    writeFileSync(join(staging, "package.json"), "{}");
    const packages = [`skills@${skillsVersion}`, ...(needsNode ? [`${nodePackage}@${nodeVersion}`] : [])];
    const quick = ["--prefer-offline", "--fetch-retries=0", "--fetch-timeout=15000"];
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    const { code, err } = await run("npm", ["install", ...quiet, ...quick, ...packages], { cwd: staging });
    if (code !== 0) return `npm did not bring ${packages.join(" and ")}: ${/npm error .*/.exec(err)?.[0] ?? err}`;
    if (!existsSync(kept)) renameSync(staging, kept);
    return undefined;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout: 60_000 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, out, err: error !== null && err === "" ? error.message : err });
    });
  });
}

/** A project of its own in which the installer runs, with a home of its own, and reaches this machine alone. */
export class NpmSkillsProject {
  readonly root = mkdtempSync(join(tmpdir(), "skillward-npm-project-"));
  readonly #skills: NpmSkills;

  constructor(skills: NpmSkills) {
    this.#skills = skills;
    for (const folder of ["home", "project"]) mkdirSync(join(this.root, folder));
  }

  /** The program with these words; its output without colours. */
  async run(...args: readonly string[]): Promise<Ended> {
    const preload = pathToFileURL(join(repository, "test/support/loopback-only.child.mjs")).href;
    const env = {
      PATH: process.env["PATH"],
      HOME: join(this.root, "home"),
      NO_COLOR: "1",
      CI: "1",
      DO_NOT_TRACK: "1",
      NODE_OPTIONS: `--import=${preload}`,
      REFUSED_HOSTS: join(this.root, "refused"),
    };
    return run(this.#skills.node, [this.#skills.cli, ...args], { cwd: join(this.root, "project"), env });
  }

  read(path: string): string {
    return readFileSync(join(this.root, "project", path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, "project", path));
  }

  /** Hosts that it tried to reach and was kept from. */
  refused(): string[] {
    const path = join(this.root, "refused");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
