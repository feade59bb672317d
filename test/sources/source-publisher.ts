import { createHash } from "node:crypto";
import type { Entry } from "../../src/registry/entry.ts";
import type { FakeGitHub, FakeRepository } from "../../src/testing/github/script.ts";
import { type Random, shuffled } from "../support/crash-skills.ts";
import { skillText } from "../support/registry.ts";
import { type Place, Upstream } from "./source-oracle.ts";

const names = ["one", "two", "three", "four", "five", "six"];

/** Repositories that people push to all the time. */
export class Publisher {
  readonly upstream = new Upstream();
  readonly heads = new Map<string, string>();
  /** The commit of `acme/fixed` that the marketplace names. */
  fixedAt = "";
  #isExtraListed = true;
  #count = 0;
  readonly #random: Random;
  readonly #repositories = new Map<string, FakeRepository>();

  constructor(random: Random) {
    this.#random = random;
  }

  async start(github: FakeGitHub): Promise<void> {
    for (const name of ["skills", "market", "moving", "fixed", "extra"])
      this.#repositories.set(name, this.upstream.add(await github.repository(`acme/${name}`)));
    // So large that a few files are fetched one by one, and more of them as a tarball.
    const noise = createHash("shake256", { outputLength: 400_000 }).update("noise").digest();
    await this.#push("skills", { "assets/noise": noise, ...this.#skills("skills", names) });
    for (const name of ["moving", "fixed", "extra"]) await this.#push(name, this.#skills("skills", names.slice(0, 2)));
    await this.#push("moving", { ".claude-plugin/plugin.json": JSON.stringify({ name: "moving" }) });
    await this.#pushIndex(this.#skills("plugins/here/skills", names.slice(0, 2)));
  }

  /** One skill is written anew, one comes, changes or goes; a plugin is listed or not. */
  async change(name: "skills" | "market"): Promise<void> {
    if (name === "skills") return this.#push("skills", this.#changed("skills", names));
    const few = names.slice(0, 3);
    const act = this.#random(5);
    if (act === 0) await this.#push("moving", this.#changed("skills", few));
    if (act === 1) await this.#push("fixed", this.#changed("skills", few));
    if (act === 2) this.#isExtraListed = !this.#isExtraListed;
    if (act === 3) await this.#push("extra", this.#changed("skills", few));
    if (act !== 0) await this.#pushIndex(act === 4 ? this.#changed("plugins/here/skills", few) : {});
  }

  /** Now and then somebody between here and the files changes one of them, as long as `act` takes. */
  async meddled<Result>(act: () => Promise<Result>): Promise<Result> {
    const repository = this.#repositories.get("skills");
    if (this.#random(6) === 0) repository?.tamper(`skills/${names[this.#random(names.length)]}/SKILL.md`);
    return act().finally(() => repository?.tamper());
  }

  /** What a source has now: the path of each skill, and where that is. */
  present(source: string): Map<string, Place> {
    if (source === "skills") return new Map(this.#placesIn("acme/skills", this.#head("skills"), ""));
    const children = ["moving", ...(this.#isExtraListed ? ["extra"] : [])];
    return new Map([
      ...this.#placesIn("acme/market", this.#head("market"), "acme/market/"),
      ...children.flatMap((name) => this.#placesIn(`acme/${name}`, this.#head(name), `acme/${name}/`)),
      ...this.#placesIn("acme/fixed", this.fixedAt, "acme/fixed/"),
    ]);
  }

  pin(source: string): string {
    return this.#head(source);
  }

  #head(name: string): string {
    return this.heads.get(name) ?? "";
  }

  #placesIn(name: string, commit: string, start: string): [string, Place][] {
    return this.upstream.skills(name, commit).map((path) => [start + path, { name, path, commit }]);
  }

  async #push(name: string, files: Readonly<Record<string, string | Uint8Array | null>>): Promise<void> {
    this.heads.set(name, (await this.#repositories.get(name)?.push(files)) ?? "");
  }

  async #pushIndex(files: Readonly<Record<string, string | null>>): Promise<void> {
    this.fixedAt = this.#head("fixed");
    const github = (name: string, more = {}) => ({ name, source: { source: "github", repo: `acme/${name}`, ...more } });
    const plugins = [
      { name: "here", source: "./plugins/here" },
      github("moving"),
      github("fixed", { sha: this.fixedAt }),
      ...(this.#isExtraListed ? [github("extra", { ref: "main" })] : []),
    ];
    const index = { name: "acme", owner: { name: "Acme" }, plugins, version: String(this.#count++) };
    await this.#push("market", { ...files, ".claude-plugin/marketplace.json": JSON.stringify(index) });
  }

  #skills(below: string, some: readonly string[]): Record<string, string> {
    return Object.fromEntries(some.flatMap((name) => Object.entries(this.#skill(below, name))));
  }

  /** Every other one has a second file. */
  #skill(below: string, name: string): Record<string, string> {
    const body = `Revision ${this.#count++}.\n`;
    const own = name.length % 2 === 0 ? { [`${below}/${name}/own.md`]: body } : {};
    return { [`${below}/${name}/SKILL.md`]: skillText(name, body), ...own };
  }

  #changed(below: string, all: readonly string[]): Record<string, string | null> {
    const [first = "", gone = ""] = shuffled(all, this.#random);
    const isGone = this.#random(3) === 0;
    const written = this.#skills(below, isGone ? [first] : all.slice(0, 1 + this.#random(all.length)));
    return isGone ? { ...written, [`${below}/${gone}/SKILL.md`]: null, [`${below}/${gone}/own.md`]: null } : written;
  }
}

/** Where an entry of one of the two sources comes from. */
export function placeOf({ source, path }: Entry): Omit<Place, "commit"> {
  if (source === "skills") return { name: "acme/skills", path };
  const [owner, name, ...rest] = path.split("/");
  return { name: `${owner}/${name}`, path: rest.join("/") };
}
