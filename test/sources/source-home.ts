import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import type { Ended } from "../support/cli.ts";
import { CliHome } from "../support/cli-home.ts";
import { skillText } from "../support/publish-site.ts";
import { skillwardWarmBeside } from "../support/warm.ts";

export type Env = Readonly<Record<string, string>>;

interface Refused {
  readonly exit: number | null;
  readonly code: string;
  readonly message: string;
}

/** A GitHub, and a person's home whose configuration names it as the first: `owner/repo` means it. */
export class SourceHome {
  readonly github: FakeGitHub;
  readonly home = new CliHome();
  readonly #printed: string[] = [];

  private constructor(github: FakeGitHub) {
    this.github = github;
    this.home.configure(github.configuration("here"));
  }

  static async open(): Promise<SourceHome> {
    return new SourceHome(await startGitHub());
  }

  /** `acme/skills` with two skills. */
  async skills(name = "acme/skills"): Promise<{ repository: FakeRepository; first: string }> {
    const repository = await this.github.repository(name);
    const first = await repository.push({
      "README.md": "Skills.\n",
      "skills/pdf/SKILL.md": skillText("pdf", "First."),
      "skills/xlsx/SKILL.md": skillText("xlsx", "Sheets."),
    });
    return { repository, first };
  }

  async run(line: string | readonly string[], env: Env = {}): Promise<Ended> {
    const args = typeof line === "string" ? line.split(" ") : line;
    const surroundings = { HOME: this.home.folder, USER: "ada", ...env };
    const ended = await skillwardWarmBeside(args, { cwd: this.home.folder, env: surroundings });
    this.#printed.push(ended.out, ended.err);
    return ended;
  }

  /** The answer to `--json`, whatever the exit code is. */
  async json(line: string | readonly string[], env: Env = {}) {
    const { code, out, err } = await this.run([...(typeof line === "string" ? line.split(" ") : line), "--json"], env);
    try {
      return { exit: code, err, answer: JSON.parse(out) };
    } catch {
      throw new Error(`skillward ${String(line)}: exit ${code}\n${out}${err}`);
    }
  }

  async refused(line: string | readonly string[], env: Env = {}): Promise<Refused> {
    const { exit, answer } = await this.json(line, env);
    if (Object.keys(answer).join() !== "error") throw new Error(`not refused: ${JSON.stringify(answer)}`);
    return { exit, ...answer.error };
  }

  /** All that anybody decided or set and all that was taken in; not how the last sync of a source ended. */
  kept(): string {
    const database = this.home.database;
    const rows = (sql: string) => database.prepare(sql).all();
    try {
      const stays = "json_remove(record, '$.status', '$.error') AS record";
      const sources = rows(`SELECT id, ${stays} FROM sources ORDER BY id`);
      const tables = ["entries", "revisions", "entry_revisions", "provenance", "ledger", "secrets"];
      const others = tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1`));
      return JSON.stringify([sources, ...others, rows("SELECT digest FROM blobs ORDER BY 1")]);
    } finally {
      database.close();
    }
  }

  /** Where a secret is that should be nowhere. */
  leaks(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const encoded = (["base64", "base64url", "hex"] as const).map((encoding) => bytes.toString(encoding));
    const isPrinted = [secret, ...encoded].some((needle) => this.printed.includes(needle));
    return [...(isPrinted ? ["printed"] : []), ...this.home.leaks(secret)];
  }

  get printed(): string {
    return this.#printed.join("\n");
  }

  async close(): Promise<void> {
    await this.github.close();
    this.home.remove();
  }
}
