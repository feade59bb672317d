import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { Ended } from "./cli.ts";
import { skillwardWarmBeside } from "./warm.ts";
import { Room } from "./publish-room.ts";

export function skillText(name: string, body: string, header = ""): string {
  return `---\nname: ${name}\ndescription: Says how to ${name}.\n${header}---\n${body}\n`;
}

/** A GitHub, a person with a configuration of their own, and a workspace of theirs. */
export class Site {
  readonly github: FakeGitHub;
  readonly home = new Room();
  readonly workspace = new Room();

  private constructor(github: FakeGitHub) {
    this.github = github;
  }

  static async open(): Promise<Site> {
    const site = new Site(await startGitHub());
    site.home.write(".config/skillward/config.yaml", site.github.configuration());
    mkdirSync(site.workspace.at(".git"));
    return site;
  }

  /** `acme/skills` with two skills, one of them with a program. */
  async skills(): Promise<{ repository: FakeRepository; first: string }> {
    const repository = await this.github.repository("acme/skills");
    const first = await repository.push({
      "README.md": "skills",
      "skills/pdf/SKILL.md": skillText("pdf", "First."),
      "skills/pdf/scripts/run.sh": { executable: "echo 1\n" },
      "skills/pdf/references/notes.md": "notes\n",
      "skills/xlsx/SKILL.md": skillText("xlsx", "Sheets."),
    });
    return { repository, first };
  }

  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return skillwardWarmBeside(args, {
      cwd: this.workspace.root,
      env: { HOME: this.home.root, USER: "tester", ...env },
    });
  }

  /** The answer to `--json` and the exit code. */
  async json(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { code, out, err } = await this.run([...args, "--json"], env);
    try {
      return { code, ...JSON.parse(out) };
    } catch {
      throw new Error(`skillward ${args.join(" ")}: exit ${code}\n${out}${err}`);
    }
  }

  /** How many requests an act costs. */
  async requestsOf(act: () => Promise<unknown>): Promise<number> {
    const before = this.github.requests.length;
    await act();
    return this.github.requests.length - before;
  }

  /** Whatever was written below the workspace, the folder of git aside. */
  written(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.workspace.everything()).filter(([path]) => path !== ".git/"));
  }

  writeLock(change: (skills: Record<string, Record<string, unknown>>) => void): void {
    const lock = JSON.parse(this.workspace.lockText() ?? "");
    change(lock.skills);
    writeFileSync(join(this.workspace.root, "skillward.lock"), `${JSON.stringify(lock, null, 2)}\n`);
  }

  async close(): Promise<void> {
    await this.github.close();
    this.home.remove();
    this.workspace.remove();
  }
}
