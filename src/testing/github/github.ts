import { createServer, type Server } from "node:http";
import { closeServer, listenOnLoopback } from "../loopback.ts";
import { createCodeload } from "./files.ts";
import { createFaults, createRateLimit, createGate } from "./faults.ts";
import { openHub, type Hub } from "./hub.ts";
import type { Bases } from "./asked.ts";
import type { FakeGitHub, GitHubOptions, GitHubService, FakeRepository } from "./script.ts";
import { type House, serve } from "./serving.ts";
import { createPusher, type Repository } from "./repository.ts";

/**
 * A GitHub on the loopback interface, over real HTTP and with real git objects: repositories, commits, trees, refs,
 * comparisons, raw files and tarballs in their documented shapes, with entity tags and a rate limit. It does what a
 * test scripts, keeps every request, and does nothing by the clock. It needs the program `git`.
 *
 * ```ts
 * const github = await startGitHub();
 * const skills = await github.repository("acme/skills");
 * const first = await skills.push({ "greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\nSay hello.\n" });
 * await skills.tag("v1", first);
 *
 * const commit = await (await fetch(`${github.api}/repos/acme/skills/commits/tags/v1`)).json(); // commit.sha === first
 * await skills.push({ "greet/SKILL.md": "another one" }, { from: null }); // a force-push
 * github.next({ on: "raw", how: "flip" }); // the next file comes with a wrong byte
 *
 * await writeFile("skillward.yaml", github.configuration()); // for `skillward --config`
 * await github.close();
 * ```
 */
export async function startGitHub(options: GitHubOptions = {}): Promise<FakeGitHub> {
  const hub = await openHub();
  const house: House = {
    hub,
    codeload: createCodeload(hub),
    faults: createFaults(),
    rate: createRateLimit(),
    gate: createGate(),
    closing: new AbortController(),
    requests: [],
    bases: { api: "", raw: "", codeload: "", web: "" },
    mostEntries: Number.MAX_SAFE_INTEGER,
  };
  const servers = createServers(house);
  try {
    house.bases = await listenAll(servers, options);
  } catch (error) {
    await closeAll(servers, house);
    throw error;
  }
  return createFake(house, servers);
}

type Servers = Readonly<Record<GitHubService, Server>>;

function createServers(house: House): Servers {
  const create = (service: GitHubService): Server => {
    const server = createServer();
    // Clients keep connections open as long as they like: none is closed because of the time.
    Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
    return server.on("request", (incoming, response) => {
      // What goes wrong in here must not look like an answer: the client sees the connection end.
      serve(house, service, incoming, response).catch(() => response.destroy());
    });
  };
  return { api: create("api"), raw: create("raw"), codeload: create("codeload"), web: create("web") };
}

const paths: Bases = { api: "/api/v3", raw: "/raw", codeload: "/codeload", web: "/web" };

async function listenAll(servers: Servers, { port = 0, paths: hasPaths = false }: GitHubOptions): Promise<Bases> {
  const listen = async (service: GitHubService, wanted = 0): Promise<string> =>
    (await listenOnLoopback(servers[service], wanted)) + (hasPaths ? paths[service] : "");
  const api = await listen("api", port);
  return { api, raw: await listen("raw"), codeload: await listen("codeload"), web: await listen("web") };
}

function createFake(house: House, servers: Servers): FakeGitHub {
  const { hub, faults, rate, gate, bases, requests } = house;
  let closed: Promise<void> | undefined;
  return {
    ...bases,
    configuration: (name = "local") => renderConfiguration(name, bases),
    requests,
    repository: (fullName, { private: access, defaultBranch = "main" } = {}) =>
      hub.change(async () => createHandle(hub, await hub.register(fullName, { access, defaultBranch }))),
    next: (fault) => faults.next(fault),
    misbehave: (how) => faults.misbehave(how),
    limit: (left, resetAt) => rate.set(left, resetAt),
    truncateTrees: (entries) => void (house.mostEntries = entries ?? Number.MAX_SAFE_INTEGER),
    release: () => gate.open(),
    close: () => (closed ??= closeAll(servers, house)),
  };
}

/** Clients that still wait are let go. No git command starts after this call, whatever a test or a request does. */
async function closeAll(servers: Servers, { closing, hub }: House): Promise<void> {
  closing.abort();
  await Promise.all([...Object.values(servers).map(closeServer), hub.close()]);
}

function renderConfiguration(name: string, bases: Bases): string {
  const services = Object.entries(bases);
  const sets = services.map(([service, url]: [string, string]) => `    ${service}: ${url}`);
  const pairs = services.map(([, url]: [string, string]) => `    "${new URL(url).host}": 127.0.0.1/32`);
  return ["github:", `  ${JSON.stringify(name)}:`, ...sets, "network:", "  private:", ...pairs, ""].join("\n");
}

/** What a test holds of a repository. */
function createHandle(hub: Hub, repository: Repository): FakeRepository {
  const pusher = createPusher(hub.git, repository);
  return {
    get fullName() {
      return repository.fullName;
    },
    id: repository.id,
    get ownerId() {
      return repository.ownerId;
    },
    folder: repository.folder,
    push: (files, options = {}) => hub.change(() => pusher.push(files, options)),
    branch: (name, commit) => hub.change(() => pusher.set(`refs/heads/${name}`, commit)),
    deleteBranch: (name) => hub.change(() => pusher.delete(`refs/heads/${name}`)),
    tag: (name, commit, { annotated = false } = {}) =>
      hub.change(() => (annotated ? pusher.tag(name, commit) : pusher.set(`refs/tags/${name}`, commit))),
    deleteTag: (name) => hub.change(() => pusher.delete(`refs/tags/${name}`)),
    rename: async (fullName) => hub.rename(repository, fullName, "same"),
    transfer: async (fullName) => hub.rename(repository, fullName, "another"),
    remove: async () => hub.remove(repository),
    fork: (fullName) => hub.change(async () => createHandle(hub, await hub.fork(repository, fullName))),
    tamper: (path) => void (repository.tampered = path),
  };
}
