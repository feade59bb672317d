import { createServer, type Server } from "node:http";
import { createCodeload } from "./codeload.ts";
import { createFaults } from "./faults.ts";
import { createGate } from "./gate.ts";
import { createHandle } from "./handle.ts";
import { openHub } from "./hub.ts";
import type { Bases } from "./place.ts";
import { createRateLimit } from "./rate.ts";
import type { FakeGitHub, GitHubOptions, GitHubService } from "./script.ts";
import { type House, serve } from "./serving.ts";

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
  const listen = (service: GitHubService, wanted: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const server = servers[service];
      server.once("error", reject).listen(wanted, "127.0.0.1", () => {
        const address = server.address();
        const given = typeof address === "object" && address ? address.port : 0;
        resolve(`http://127.0.0.1:${given}${hasPaths ? paths[service] : ""}`);
      });
    });
  const api = await listen("api", port);
  return { api, raw: await listen("raw", 0), codeload: await listen("codeload", 0), web: await listen("web", 0) };
}

function createFake(house: House, servers: Servers): FakeGitHub {
  const { hub, faults, rate, gate, bases, requests } = house;
  let closed: Promise<void> | undefined;
  return {
    ...bases,
    configuration: (name = "local") => renderConfiguration(name, bases),
    requests,
    async repository(fullName, { private: access, defaultBranch = "main" } = {}) {
      return createHandle(hub, await hub.register(fullName, { access, defaultBranch }));
    },
    next: (fault) => faults.next(fault),
    misbehave: (how) => faults.misbehave(how),
    limit: (left, resetAt) => rate.set(left, resetAt),
    truncateTrees: (entries) => void (house.mostEntries = entries ?? Number.MAX_SAFE_INTEGER),
    release: () => gate.open(),
    close: () => (closed ??= closeAll(servers, house)),
  };
}

/** Who still waits is let go first, so that nothing is under way when the repositories are removed. */
async function closeAll(servers: Servers, { closing, hub }: House): Promise<void> {
  closing.abort();
  const ended = Object.values(servers).map(
    (server) =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  await Promise.all(ended);
  await hub.close();
}

function renderConfiguration(name: string, bases: Bases): string {
  const services = Object.entries(bases);
  const sets = services.map(([service, url]: [string, string]) => `    ${service}: ${url}`);
  const pairs = services.map(([, url]: [string, string]) => `    "${new URL(url).host}": 127.0.0.1/32`);
  return ["github:", `  ${JSON.stringify(name)}:`, ...sets, "network:", "  private:", ...pairs, ""].join("\n");
}
