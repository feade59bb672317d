import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { startGitHub } from "../../src/testing/github/github.ts";
import { shownAs, type Step, Terminal } from "../support/page.ts";
import { skillText } from "../support/publish-site.ts";
import { skillwardWarmBeside } from "../support/warm.ts";

const stepShape = /^```(\w*)\n([\s\S]*?)^```$|^<!-- upstream: (.+) -->$/gm;

/** What the page says to type and shows, and between it what happens upstream: a reader is told that in words. */
export function sourceStepsOf(page: string): Step[] {
  return [...page.matchAll(stepShape)].map(([, language = "", text = "", upstream]) =>
    upstream === undefined ? { kind: language, text } : { kind: "upstream", text: upstream },
  );
}

/** Lines without anything that a shell would read in another way: these commands need no process of their own. */
const plainCommands = /^(?:npx skillward(?: [\w./:@=,-]+)+\n)+$/;

export const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

const marketplace = {
  name: "acme-market",
  owner: { name: "Acme" },
  plugins: [
    { name: "notes", source: "./plugins/notes", description: "Notes of meetings." },
    { name: "legal", source: { source: "github", repo: "umbrella/legal" } },
    { name: "charts", source: { source: "npm", package: "@acme/charts" } },
  ],
};

/** A walk through the page, from an empty home, with a GitHub that stands for github.com. */
export async function startSourcesWalk(): Promise<SourcesWalk> {
  const github = await startGitHub();
  const skills = await github.repository("acme/skills");
  const first = await skills.push({
    "README.md": "Skills of Acme.\n",
    "skills/pdf/SKILL.md": skillText("pdf", "Read the form, then fill it in."),
    "skills/pdf/scripts/fill.py": { executable: "print('filled')\n" },
    "skills/xlsx/SKILL.md": skillText("xlsx", "Keep the formulas."),
  });
  await skills.tag("v1.0.0", first);
  const market = await github.repository("acme/market");
  await market.push({
    ".claude-plugin/marketplace.json": `${JSON.stringify(marketplace, null, 2)}\n`,
    "plugins/notes/skills/minutes/SKILL.md": skillText("minutes", "Who, what, until when."),
  });
  const hidden = await github.repository("acme/private", { private: { token } });
  await hidden.push({ "SKILL.md": skillText("payroll", "Ask twice.") });
  return new SourcesWalk(github, skills, first);
}

class SourcesWalk {
  readonly #room = realpathSync(mkdtempSync(join(tmpdir(), "skillward-walk-")));
  readonly #github: FakeGitHub;
  readonly #terminal: Terminal;
  readonly #events: Readonly<Record<string, () => Promise<unknown>>>;
  /** What was printed and is not shown yet. */
  #printed = "";

  constructor(github: FakeGitHub, skills: FakeRepository, first: string) {
    this.#github = github;
    this.#write(".config/skillward/config.yaml", github.configuration("github.com"));
    this.#write("team/greet/SKILL.md", skillText("greet", "Say hello."));
    this.#terminal = new Terminal(this.#room, { GITHUB_TOKEN: token });
    const change = (body: string) => skills.push({ "skills/pdf/SKILL.md": skillText("pdf", body) });
    this.#events = {
      "pdf changes": () => change("Read the form, ask, then fill it in."),
      "the tag moves": async () => skills.tag("v1.0.0", await change("Fill it in, and send a copy to me.")),
      "main goes back": () => skills.branch("main", first),
      "pdf changes again": () => change("Read the form twice."),
    };
  }

  /** Does a step; what the page should show for it. For what is typed, that is what it printed before and did not show. */
  async take({ kind, text }: Step): Promise<string> {
    if (kind === "text") return shownAs(this.#asThere(this.#taken()), text);
    const unshown = this.#taken();
    if (kind === "sh") this.#printed = await this.#type(this.#asHere(text));
    else if (kind === "upstream") await (this.#events[text] ?? unknownEvent(text))();
    return unshown;
  }

  async #type(block: string): Promise<string> {
    if (!plainCommands.test(block)) return this.#terminal.type(block);
    // Where the blocks before have left the shell.
    const cwd = (await this.#terminal.type("pwd")).trimEnd();
    const env = { HOME: this.#room, USER: "ada", GITHUB_TOKEN: token };
    let printed = "";
    for (const line of block.trimEnd().split("\n")) {
      const { out, err } = await skillwardWarmBeside(line.split(" ").slice(2), { cwd, env });
      printed += out + err;
    }
    return printed;
  }

  asked(): number {
    return this.#github.requests.length;
  }

  async end(): Promise<void> {
    this.#terminal.close();
    await this.#github.close();
    rmSync(this.#room, { recursive: true, force: true });
  }

  #taken(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  #asHere(text: string): string {
    return text.replaceAll("https://github.com", this.#github.web);
  }

  #asThere(text: string): string {
    return text
      .replaceAll(this.#github.web, "https://github.com")
      .replaceAll(new URL(this.#github.api).host, "api.github.com")
      .replaceAll(this.#room, "/home/ada");
  }

  #write(name: string, text: string): void {
    mkdirSync(dirname(join(this.#room, name)), { recursive: true });
    writeFileSync(join(this.#room, name), text);
  }
}

function unknownEvent(name: string): never {
  throw new Error(`the page lets something happen that is not known here: ${name}`);
}
