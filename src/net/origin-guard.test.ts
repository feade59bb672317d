import { describe, expect, test, vi } from "vitest";
import { ask, get, type Loopback, ok, serve, transportTo } from "../../test/support/loopback.ts";
import { createDial, type Target } from "./dial.ts";
import type { createConnector } from "./guard.ts";
import { githubCom, type HostSet } from "./host-set.ts";
import { githubLimits } from "./limits.ts";
import { type EgressPolicy, githubPolicy } from "./policy.ts";
import { noPairs } from "./private-pairs.ts";

/** The address guard is off in this file: whatever is asked for is resolved and dialled. */
vi.mock("./guard.ts", () => {
  const unguarded: typeof createConnector =
    ({ resolve, dial }) =>
    async ({ protocol, hostname, port }, callback) => {
      const addresses = await resolve(hostname);
      const socket = dial({ protocol, hostname, port, addresses }, (error) =>
        error === null ? callback(null, socket) : callback(error, null),
      );
    };
  return { createConnector: unguarded };
});

const own: HostSet = {
  name: "corp",
  api: "https://git.corp.example/api/v3",
  raw: "https://git.corp.example/raw",
  codeload: "https://git.corp.example:8443",
  web: "http://plain.corp.example",
};

interface Outside {
  readonly server: Loopback;
  readonly resolved: string[];
  readonly dialled: Target[];
  readonly asked: (url: string) => Promise<string>;
}

/** A world in which every host and every port, with TLS or without, is one server on loopback. */
async function outside(policy: EgressPolicy = githubPolicy([githubCom, own], noPairs)): Promise<Outside> {
  const server = await serve((socket) => socket.write(ok("reached")));
  const resolved: string[] = [];
  const dialled: Target[] = [];
  const transport = transportTo(server, {
    policy,
    limits: githubLimits,
    resolve: async (hostname) => {
      resolved.push(hostname);
      return ["127.0.0.1"];
    },
    dial: (target, ready) => {
      dialled.push(target);
      const here = { protocol: "http:", hostname: "127.0.0.1", port: String(server.port), addresses: ["127.0.0.1"] };
      return createDial()(here, ready);
    },
  });
  return { server, resolved, dialled, asked: (url) => ask(transport, get(url)) };
}

const sha = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c";

const refused: Readonly<Record<string, readonly string[]>> = {
  "another host": [
    "https://gitlab.example/octo/skills",
    "https://github.com.gitlab.example/octo",
    "https://notgithub.com/octo",
    "https://www.github.com/octo",
    "https://uploads.github.com/octo",
    "https://media.githubusercontent.com/octo",
    "https://githubusercontent.com/octo",
    "https://github.org/octo",
    "https://github/octo",
    "https://corp.example/api/v3",
  ],
  "a look-alike": [
    "https://gıthub.com/octo",
    "https://giтhub.com/octo",
    "https://xn--gihub-kxf.com/octo",
    "https://ＧＩＴＨＵＢ.com/octo",
    "https://github．com/octo",
    "https://github｡com/octo",
    "https://ⓐpi.github.com/octo",
    "https://ʳaw.githubusercontent.com/octo",
    "https://raw.githubu\u017fercontent.com/octo",
  ],
  "characters that nobody sees": [
    "https://git\u00adhub.com/octo",
    "https://github\u200b.com/octo",
    "https://github.com\u2060/octo",
    "\ufeffhttps://github.com/octo",
    "https://github.com/octo\u202e",
    "https://gith\tub.com/octo",
    "https://github.com/oc\r\nto",
    "https://github.com/octo\n",
    "https://github.com/octo\0",
    "https://github.com/octo ",
    "https://github.com /octo",
    "\thttps://github.com/octo",
  ],
  "a user name or password": [
    "https://token@github.com/octo",
    "https://:token@api.github.com/octo",
    "https://@github.com/octo",
    "https://github.com@gitlab.example/octo",
    "https://github.com:443@gitlab.example/octo",
    "https://github.com%40gitlab.example/octo",
  ],
  "a backslash": [
    "https:\\\\github.com\\octo",
    "https://github.com\\octo",
    "https://gitlab.example\\@github.com/octo",
    "https://github.com\\.gitlab.example/octo",
    "https://github.com/octo\\..\\x",
  ],
  "another port": [
    "https://github.com:444/octo",
    "https://github.com:80/octo",
    "https://github.com:00443/octo",
    "https://github.com:/octo",
    "https://github.com:4430/octo",
    "https://github.com:+443/octo",
    "https://github.com:443:443/octo",
    "https://git.corp.example:8444/octo",
    "https://api.github.com:8443/octo",
  ],
  "dots where none belong": ["https://api.github.com./octo", "https://github..com/octo", "https://.github.com/octo"],
  "an encoded host": ["https://git%68ub.com/octo", "https://github%2ecom/octo", "https://github.com%00.x/octo"],
  "too few or too many slashes": [
    "https:/api.github.com/octo",
    "https:api.github.com/octo",
    "https:////github.com/octo",
    "//github.com/octo",
    "github.com/octo",
    "https://github.com",
    "https://github.com?x/octo",
    "",
  ],
  "another scheme": [
    "http://github.com/octo",
    "http://github.com:443/octo",
    "HTTPS://github.com/octo",
    "Https://github.com/octo",
    "ws://github.com/octo",
    "git://github.com/octo/skills",
    "ssh://git@github.com/octo/skills",
    "git@github.com:octo/skills",
    "view-source:https://github.com/octo",
    "file://github.com/octo",
    "data:,octo",
  ],
  "plain http, though the base says so, without leave": ["http://plain.corp.example/octo"],
  "an address": [
    "https://127.0.0.1/octo",
    "https://3232235777/octo",
    "https://0xa.0.0.1/octo",
    "https://012.0.0.1/octo",
    "https://10.1/octo",
    "https://[::1]/octo",
    "https://[::ffff:10.0.0.1]/octo",
    "https://169.254.169.254/octo",
    "https://140.82.121.3/octo",
    "https://⑩.0.0.1/octo",
    "https://LOCALHOST/octo",
  ],
  "a way out of the repository": [
    `https://raw.githubusercontent.com/octo/skills/${sha}/../../../other/x`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/%2E%2E/x`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/.%2e/x`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/a%2Fb`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/a%5Cb`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/a%00b`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/a%2eb`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/a/..`,
    `https://raw.githubusercontent.com/octo/skills/${sha}/./a`,
    `https://raw.githubusercontent.com/octo/skills/${sha}//a`,
    "https://raw.githubusercontent.com//octo/skills",
    "https://codeload.github.com/octo/skills/tar.gz/..",
    "https://api.github.com/repos/octo/../other",
    "https://api.github.com/repos/octo/%2e%2e/other",
    "https://git.corp.example/api/v3/../../admin",
    "https://git.corp.example/raw/%2e%2e/admin",
    "https://git.corp.example/api/v3%2f..%2fadmin",
    "https://git.corp.example/admin",
    "https://git.corp.example/api/v3admin",
    "https://git.corp.example/api/v3;admin",
  ],
  "a broken encoding": [
    "https://github.com/oct%",
    "https://github.com/oct%6",
    "https://github.com/oct%zz",
    "https://api.github.com/x?y=%",
    "https://api.github.com/x?y=%u0041",
  ],
  "a query where none is asked for": [
    "https://github.com/octo/skills?tab=readme",
    `https://raw.githubusercontent.com/octo/skills/${sha}/a?token=x`,
    "https://codeload.github.com/octo/skills/zip/x?y",
    "https://git.corp.example/raw/octo?y=1",
    "https://github.com/octo?",
    "https://api.github.com/octo?",
  ],
  "a fragment": [
    "https://github.com/octo#readme",
    "https://github.com/octo#",
    "https://api.github.com/x?y=1#z",
    "https://gitlab.example#@github.com/octo",
    "https://github.com#@gitlab.example/octo",
  ],
  "more than an address needs": [`https://github.com/${"a".repeat(8192)}`],
};

const admitted: readonly [url: string, host: string, path: string][] = [
  ["https://github.com/octo/skills", "github.com", "/octo/skills"],
  ["https://GitHub.COM/Octo/skills", "github.com", "/Octo/skills"],
  ["https://api.github.com:443/repos/octo/skills", "api.github.com", "/repos/octo/skills"],
  ["https://api.github.com/repos?per_page=1&sha=a%2Fb", "api.github.com", "/repos?per_page=1&sha=a%2Fb"],
  [`https://raw.githubusercontent.com/o/r/${sha}/a%20b.md`, "raw.githubusercontent.com", `/o/r/${sha}/a%20b.md`],
  [`https://codeload.github.com/o/r/tar.gz/${sha}`, "codeload.github.com", `/o/r/tar.gz/${sha}`],
  ["https://git.corp.example/api/v3/repos/o/r?x=1", "git.corp.example", "/api/v3/repos/o/r?x=1"],
  ["https://git.corp.example:8443/o/r", "git.corp.example:8443", "/o/r"],
];

describe("IN-3: the origin guard holds with the address guard off", () => {
  test.each(Object.entries(refused))(
    "T1, T2: %s is refused: nothing is resolved, nothing dialled",
    async (_class, urls) => {
      const { server, resolved, dialled, asked } = await outside();
      for (const url of urls) {
        const said = await asked(url);
        expect({ url, said }).toEqual({
          url,
          said: expect.stringMatching(/^host\.refused the request was not sent: /),
        });
      }
      expect({ resolved, dialled, connections: server.connections }).toEqual({
        resolved: [],
        dialled: [],
        connections: [],
      });
    },
  );

  test.each(admitted)("%s is asked", async (url, host, path) => {
    const { server, dialled, asked } = await outside();
    expect(await asked(url)).toBe("reached");
    expect(dialled).toHaveLength(1);
    expect(server.requests).toEqual([expect.stringMatching(/^GET /)]);
    expect(server.requests[0]?.split("\r\n").slice(0, 2)).toEqual([`GET ${path} HTTP/1.1`, `host: ${host}`]);
  });

  test("it is this guard that refuses: without a policy the same addresses are reached", async () => {
    const world = await outside({ name: "anything", admit: (url) => new URL(url) });
    const urls = Object.values(refused).flat();
    const reachable = urls.filter((url) => /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""));
    expect(reachable.length).toBeGreaterThan(80);
    for (const url of reachable) expect({ url, said: await world.asked(url) }).toEqual({ url, said: "reached" });
    expect(world.server.requests).toHaveLength(reachable.length);
    expect(world.resolved).toContain("169.254.169.254");
  });
});
