import type { FakeGitHub, FakeRepository, FileContent } from "../../src/testing/github/script.ts";
import { type Random, seeded, shuffled } from "../support/crash-skills.ts";
import { skillText } from "../support/registry.ts";

/** The forms in which plugins say where they are, and how many of each the official marketplace has. */
const officialMix = [
  ["url+sha", 146],
  ["git-subdir+ref+sha", 82],
  ["relative", 53],
  ["url+path+sha", 4],
  ["git-subdir+sha", 1],
] as const;

type Form = (typeof officialMix)[number][0];

interface ModelPlugin {
  readonly name: string;
  readonly form: Form;
  /** `owner/name`; the marketplace's own for relative ones. */
  readonly repository: string;
  /** Inside the repository; empty for its root. */
  readonly path: string;
  /** The folders of its skills, inside the repository. */
  readonly skills: readonly string[];
}

/** A marketplace that can be made anew from its seed, and what it must come to. */
interface MarketplaceModel {
  readonly market: string;
  readonly plugins: readonly ModelPlugin[];
  /** Files of each repository, the marketplace's own without its index. */
  readonly repositories: ReadonlyMap<string, Readonly<Record<string, FileContent>>>;
}

/** Several plugins of one folder each share a repository: this many at most. */
const mostShared = 4;

/** `share` of the plugins that the official marketplace has, and one of each form at least. */
export function createModel(seed: number, { market = "acme/official", share = 1 } = {}): MarketplaceModel {
  const random = seeded(seed);
  const repositories = new Map<string, Record<string, FileContent>>([[market, { "README.md": "Plugins.\n" }]]);
  const plugins: ModelPlugin[] = [];
  let shared = { name: "", left: 0 };
  const forms = officialMix.flatMap(([form, count]) => Array.from({ length: Math.ceil(count * share) }, () => form));
  for (const form of shuffled(forms, random)) {
    const name = `plugin-${plugins.length}`;
    if (form.startsWith("git-subdir") && shared.left-- === 0)
      shared = { name: `team-${plugins.length}/plugins`, left: random(mostShared) };
    const repository = repositoryOf(form, name, { market, shared: shared.name });
    const path = form === "url+sha" ? "" : `plugins/${name}`;
    const { skills, files } = filesOf(name, path, random);
    repositories.set(repository, { ...repositories.get(repository), ...files });
    plugins.push({ name, form, repository, path, skills });
  }
  return { market, plugins, repositories };
}

function repositoryOf(form: Form, name: string, { market, shared }: { market: string; shared: string }): string {
  if (form === "relative") return market;
  return form.startsWith("git-subdir") ? shared : `owner-of-${name}/${name}`;
}

/** One to four skills: in `skills/`, where plugin.json says, or the plugin itself is one. */
function filesOf(name: string, path: string, random: Random) {
  const at = (inside: string) => (path === "" ? inside : `${path}/${inside}`);
  const count = 1 + random(4);
  const files: Record<string, FileContent> = { [at("README.md")]: `About ${name}.\n` };
  const isOne = count === 1 && path !== "" && random(2) === 0;
  const folder = random(3) === 0 ? "extra" : "skills";
  if (!isOne) files[at(".claude-plugin/plugin.json")] = JSON.stringify({ name, skills: `./${folder}/` });
  const skills = isOne ? [path] : Array.from({ length: count }, (_, each) => at(`${folder}/${name}-s${each}`));
  for (const skill of skills) {
    files[`${skill}/SKILL.md`] = skillText(skill.slice(skill.lastIndexOf("/") + 1), `Step ${random(1e6)}.\n`);
    if (random(3) === 0) files[`${skill}/references/more.md`] = `More of ${skill}.\n`;
  }
  return { skills, files };
}

/** Makes all of it on a fake: one push for most repositories, some have gone on since their plugins were listed. */
export async function pushModel(github: FakeGitHub, model: MarketplaceModel): Promise<PushedModel> {
  const { market, plugins, repositories } = model;
  const others = [...repositories].filter(([name]) => name !== market);
  const pushed = others.map(async ([name, files], at): Promise<[string, string]> => {
    const repository = await github.repository(name);
    const pin = await repository.push(files);
    if (at % 8 === 0) await repository.push({ "README.md": "Later.\n" });
    return [name, pin];
  });
  const heads = new Map(await Promise.all(pushed));
  const own = await github.repository(market);
  const entries = plugins.map((plugin) => ({ name: plugin.name, source: sourceOf(github, plugin, heads) }));
  const index = JSON.stringify({ name: "official", owner: { name: "Acme" }, plugins: entries });
  heads.set(market, await own.push({ ...repositories.get(market), ".claude-plugin/marketplace.json": index }));
  return { own, pins: new Map(plugins.map(({ name, repository }) => [name, heads.get(repository) ?? ""])) };
}

interface PushedModel {
  /** The marketplace's own repository. */
  readonly own: FakeRepository;
  /** What every plugin is pinned to, by its name. */
  readonly pins: ReadonlyMap<string, string>;
}

function sourceOf(github: FakeGitHub, { form, repository, path }: ModelPlugin, heads: ReadonlyMap<string, string>) {
  const at = { url: `${github.web}/${repository}.git`, sha: heads.get(repository) };
  switch (form) {
    case "relative":
      return `./${path}`;
    case "url+sha":
      return { source: "url", ...at };
    case "url+path+sha":
      return { source: "url", ...at, path };
    case "git-subdir+sha":
      return { source: "git-subdir", ...at, path };
    case "git-subdir+ref+sha":
      return { source: "git-subdir", ...at, path, ref: "main" };
  }
}
