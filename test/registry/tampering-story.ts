import { rmSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../src/app/app.ts";
import { addKey } from "../../src/registry/accounts/api-keys.ts";
import { addUser } from "../../src/registry/accounts/users.ts";
import { setBlock } from "../../src/registry/decide.ts";
import { addFolder, changeSource } from "../../src/registry/sync/sources.ts";
import { runSync } from "../../src/registry/sync/sync.ts";
import { recordUsage } from "../../src/registry/usage/usage.ts";
import { addProvider, setProviderSecret } from "../../src/models/providers.ts";
import { ada, bob, currentOf, say, skillText } from "../support/registry.ts";
import { injection } from "../store/store-contract/rows.ts";
import { StoreHome } from "../support/tampering.ts";
import { allow } from "../support/permits.ts";
import { permitLlm } from "../../src/models/context.ts";

/** One store that much has happened to, and what of it attacks have a use for. */
export interface Story {
  readonly home: StoreHome;
  /** The same before the last words: what a thief of an old backup has. */
  readonly earlier: StoreHome;
  /** Another store with the same key file, in which `guests:fresh` is approved, and in which more was said. */
  readonly neighbour: StoreHome;
  readonly digests: Readonly<Record<EntryName, string>>;
  /** The approved revision of an entry whose current one is another. */
  readonly first: Readonly<Record<"house:forms" | "guests:moved", string>>;
  /** The row of the source `guests` as it was first, with more trust than anybody approved anything at. */
  readonly firstGuests: string;
  /** Carol's. */
  readonly apiKey: string;
}

/** Every entry, in the state that its history leaves it in. */
export const states = {
  /** Approved by two, with a grant. */
  "house:pdf": "enabled",
  /** A high finding was lifted by an override. */
  "house:risky": "enabled",
  /** Changed since: the approved revision stays in use. */
  "house:forms": "held",
  /** The same, and then it went away. */
  "house:left": "orphaned",
  /** Has a high finding. */
  "house:danger": "blocked",
  /** One of two has approved it. */
  "house:half": "pending",
  "guests:notes": "enabled",
  "guests:charts": "enabled",
  /** The bytes of `notes`, and nobody has approved them here. */
  "guests:twin": "new",
  /** Changed since it was approved. */
  "guests:moved": "pending",
  /** Approved, and not in its source any more. */
  "guests:gone": "orphaned",
  /** Approved, gone and come back. */
  "guests:back": "pending",
  /** Approved and switched off, twice. */
  "guests:off": "disabled",
  "guests:rejected": "disabled",
  /** Approved, and its digest was blocked then. */
  "guests:poison": "blocked",
  "guests:fresh": "new",
} as const;

export type EntryName = keyof typeof states;

/** Two people approve what is in `house`, one what is in `guests`. */
const config = "review:\n  decisions:\n    verified: 2\n";

export async function tellStory(engine: StoreHome["engine"], server: string): Promise<Story> {
  const home = await StoreHome.create(engine, server);
  home.write(".config/skillward/config.yaml", config);
  writeHouse(home);
  writeGuests(home);
  const app = await home.open();
  const firstGuests = await begin(app, home);
  await app.close();
  const earlier = await home.copy();

  const later = await home.open();
  const rest = await goOn(later, home);
  await later.close();
  return { home, earlier, neighbour: await tellNeighbour(home, server), firstGuests, ...rest };
}

function writeHouse(home: StoreHome): void {
  home.write("house/pdf/SKILL.md", skillText("pdf", "Read the file.\n", "allowed-tools: Read\n"));
  home.write("house/pdf/references/more.md", "More about it.\n");
  for (const name of ["forms", "left"]) home.write(`house/${name}/SKILL.md`, skillText(name, "First.\n"));
  home.write("house/half/SKILL.md", skillText("half"));
  for (const name of ["risky", "danger"]) {
    home.write(`house/${name}/SKILL.md`, skillText(name));
    home.write(`house/${name}/scope.yaml`, "nonsense: true\n");
  }
}

function writeGuests(home: StoreHome): void {
  for (const name of ["notes", "charts", "moved", "gone", "back", "off", "rejected", "poison", "fresh"])
    home.write(`guests/${name}/SKILL.md`, skillText(name));
  home.write("guests/twin/SKILL.md", skillText("notes"));
}

async function begin(app: App, home: StoreHome): Promise<string> {
  await addFolder(app.sync, allow(ada), join(home.root, "house"), { id: "house", trust: "verified", onChange: "hold" });
  await addFolder(app.sync, allow(bob), join(home.root, "guests"), {
    id: "guests",
    trust: "first_party",
    onChange: "hold",
  });
  const [guests] = await home.sql("SELECT record FROM sources WHERE id = 'guests'");
  await changeSource(app.sync, allow(ada), "guests", { trust: "community" });
  await syncAll(app);
  await say(app, bob, "override", "house:risky", { overrides: await blockingOf(app, "house:risky") });
  for (const entry of ["house:pdf", "house:risky", "house:forms", "house:left"])
    for (const who of [ada, bob]) await say(app, who, "approve", entry);
  await say(app, ada, "approve", "house:half");
  for (const name of ["notes", "charts", "moved", "gone", "back", "off", "poison"])
    await say(app, name === "notes" ? bob : ada, "approve", `guests:${name}`);
  await say(app, bob, "disable", "guests:off");
  await say(app, bob, "approve", "guests:off");
  return String(guests?.["record"]);
}

async function blockingOf({ registry }: App, entry: string): Promise<string[]> {
  const { facts } = await registry.look();
  const current = facts.entries.get(entry)?.current ?? "";
  const findings = facts.summaries.get(current)?.findings ?? [];
  return findings.filter(({ level }) => level === "high").map(({ code }) => code);
}

async function syncAll(app: App): Promise<void> {
  for (const source of ["house", "guests"]) await runSync(app.sync, allow(ada), source);
}

async function goOn(app: App, home: StoreHome): Promise<Pick<Story, "digests" | "first" | "apiKey">> {
  const first = {
    "house:forms": await currentOf(app, "house:forms"),
    "guests:moved": await currentOf(app, "guests:moved"),
  };
  await changeSource(app.sync, allow(ada), "guests", { onChange: "disable" });
  await changeFolders(app, home);
  await say(app, bob, "reject", "guests:rejected");
  await setBlock(app.review, allow(ada), {
    word: "block",
    kind: "digest",
    value: await currentOf(app, "guests:poison"),
    note: "steals",
  });
  await say(app, ada, "disable", "guests:off");
  const injections = [injection("inj_1"), injection("inj_2", { bytes: 10 })];
  await recordUsage(app.kept, { id: "batch-1", node: "here", at: 1, records: await usesOf(app), injections });
  await recordUsage(app.kept, { id: "batch-2", node: "here", at: 2, records: [], injections: [injection("inj_3")] });
  const apiKey = await addPeople(app);
  await addProviders(app);
  const digests = await Promise.all(
    Object.keys(states).map(async (entry) => [entry, await currentOf(app, entry)] as const),
  );
  return { digests: Object.fromEntries(digests) as Story["digests"], first, apiKey };
}

async function changeFolders(app: App, home: StoreHome): Promise<void> {
  for (const name of ["forms", "left"]) home.write(`house/${name}/SKILL.md`, skillText(name, "Second.\n"));
  home.write("guests/moved/SKILL.md", skillText("moved", "Second.\n"));
  for (const name of ["gone", "back"]) rmSync(join(home.root, "guests", name), { recursive: true });
  await syncAll(app);
  rmSync(join(home.root, "house/left"), { recursive: true });
  home.write("guests/back/SKILL.md", skillText("back"));
  await syncAll(app);
}

async function usesOf(app: App) {
  const { snapshot } = await app.registry.look();
  const used = {
    at: 1,
    event: "injected",
    configuration: "chat",
    task: null,
    conversation: "one",
    tool: null,
  } as const;
  return [...snapshot.usable.values()].map(({ id: entry, digest }) => Object.assign({ entry, digest }, used));
}

async function addPeople({ accounts }: App): Promise<string> {
  await addUser(accounts, allow(ada), { name: "carol", role: "operator", password: "correct horse battery" });
  await addUser(accounts, allow(ada), { name: "dave", role: "admin", password: "staple correct horse" });
  return (await addKey(accounts, allow(ada), { name: "carols", role: "operator", user: "carol" })).text;
}

async function addProviders(app: App): Promise<void> {
  const llm = permitLlm(app, "administer");
  for (const id of ["one", "two"]) {
    await addProvider(llm, id, { protocol: "openai", origin: `https://${id}.example`, models: ["*"] });
    await setProviderSecret(llm, id, `secret-of-${id}`);
  }
}

async function tellNeighbour(home: StoreHome, server: string): Promise<StoreHome> {
  const neighbour = await home.createNeighbour(server);
  const app = await neighbour.open();
  await addFolder(app.sync, allow(ada), join(home.root, "guests"), { id: "guests" });
  await runSync(app.sync, allow(ada), "guests");
  for (let turn = 0; turn < 30; turn++) await say(app, ada, "approve", "guests:fresh");
  await app.close();
  return neighbour;
}
