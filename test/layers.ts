import { dirname, join } from "node:path/posix";
import { parseSync } from "rolldown/utils";
import { globalsOf, importsOf, type Seen } from "./syntax.ts";

/** Imports point left. `testing` and the top-level files of src (`index.ts` …) stand to the right of them all. */
const ROOMS = ["base", "net", "ingest", "review", "registry", "use", "store", "app", "serve"];
const LAST = new Set(["testing", "entries"]);

/**
 * Inside a room: what each part may import of its siblings. A file that lies loose in the room and has no row
 * holds words the parts share: all of them may import it, and it imports none of them.
 */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ingest: {
    skill: [],
    source: ["skill", "fetch"],
    fetch: ["skill", "source"],
    "ingest.ts": ["skill", "source", "fetch"],
  },
  use: {
    route: [],
    compose: [],
    scope: [],
    publish: ["route", "compose", "scope"],
    llm: ["route", "compose"],
    agent: ["route", "compose", "scope", "publish", "llm"],
    "use.ts": ["route", "compose", "scope", "publish", "llm", "agent"],
  },
  serve: {
    http: [],
    gateway: [],
    mcp: [],
    web: [],
    shelf: [],
    oidc: [],
    term: [],
    "server.ts": ["http", "gateway", "mcp", "web", "shelf", "oidc", "term"],
    cli: ["http", "gateway", "mcp", "web", "shelf", "oidc", "term", "server.ts"],
  },
};

interface Reach {
  name: string;
  /** Modules and dotted globals; each stands for everything below it, the longest one that fits decides. */
  uses: readonly string[];
  /** Where it may be used, and why there. A place that ends in `/` is a folder. */
  allowed: Readonly<Record<string, string>>;
  instead: string;
}

const WORLD = { "src/app/world.ts": "builds the interfaces of base" };
const PROGRAMS = { "src/app/processes.ts": "starts programs and ends them" };
const FAKES = { "src/testing/": "fakes are real implementations" };
const PORT = "declare a port beside the room and let store implement it";

/** The world is reached only through the interfaces in `base`. Built-in modules without a row are `machine`. */
const REACHES: readonly Reach[] = [
  {
    name: "nothing outside",
    // What console, crypto and process export is ruled by name below, as the globals are.
    uses: words(`node:assert node:async_hooks node:buffer node:console node:crypto node:events node:path node:process
      node:querystring node:stream node:string_decoder node:url node:util node:zlib`),
    allowed: { "src/": "pure" },
    instead: "",
  },
  {
    name: "disk",
    uses: words("node:fs"),
    allowed: {
      ...WORLD,
      ...FAKES,
      "src/app/listing.ts": "lists folders, for app/world.ts",
      "src/app/regular-file.ts": "reads files, for app/world.ts",
      "src/app/watching.ts": "watches folders, for app/world.ts",
    },
    instead: "take Files from base",
  },
  {
    name: "network",
    uses: words(`node:net node:https node:http2 node:dns node:dgram node:tls undici fetch WebSocket EventSource
      http.request http.get http.Agent http.globalAgent http.ClientRequest`),
    allowed: { ...FAKES, "src/net/": "the only code that opens a connection, but for the driver of PostgreSQL" },
    instead: "take the transport from base",
  },
  {
    name: "listening",
    // What of this module opens a connection is ruled by name above.
    uses: words("node:http"),
    allowed: { ...FAKES, "src/serve/server.ts": "listens" },
    instead: "take the transport from base, or mount a door on serve/server.ts",
  },
  {
    name: "PostgreSQL",
    uses: words("pg pg-pool pg-native"),
    allowed: { "src/store/postgres/": "the one driver that opens a connection by itself" },
    instead: PORT,
  },
  {
    name: "SQLite",
    uses: words("node:sqlite @photostructure/sqlite"),
    allowed: { "src/store/sqlite/": "implements every port on files" },
    instead: PORT,
  },
  {
    name: "processes",
    uses: words("node:child_process node:worker_threads node:cluster"),
    allowed: {
      ...WORLD,
      ...PROGRAMS,
      ...FAKES,
      "src/app/route/index-worker.ts": "the program of a thread",
      "src/app/sandbox/contract-worker.ts": "the program of a thread",
    },
    instead: "take an interface from base that app/world.ts builds",
  },
  {
    name: "code loading",
    uses: words("eval Function require node:module node:vm process.getBuiltinModule import(…)"),
    allowed: {},
    instead: "import a literal path",
  },
  {
    name: "clock",
    uses: [
      "new Date()",
      ...words(`Date.now Date() performance node:perf_hooks process.hrtime process.uptime
        setTimeout setInterval node:timers AbortSignal.timeout`),
    ],
    allowed: { ...WORLD, "src/app/sandbox/contract-worker.ts": "counts how long a contract takes" },
    instead: "take Clock from base",
  },
  {
    name: "randomness",
    uses: words(`Math.random crypto.randomUUID crypto.randomBytes crypto.randomInt crypto.getRandomValues
      crypto.randomFill crypto.randomFillSync crypto.pseudoRandomBytes crypto.webcrypto crypto.subtle.generateKey
      crypto.generateKey crypto.generateKeySync crypto.generateKeyPair crypto.generateKeyPairSync`),
    allowed: WORLD,
    instead: "take the randomness from base",
  },
  {
    name: "environment",
    uses: words("process.env process.loadEnvFile"),
    allowed: { "src/app/config.ts": "the only reader of the environment" },
    instead: "take the value from the configuration",
  },
  {
    name: "printing",
    uses: words("console process.stdout process.stderr process.emitWarning"),
    allowed: { "src/serve/cli/": "prints", "src/serve/term/": "prints" },
    instead: "return a value or a finding and let the door print it",
  },
  {
    name: "signals",
    uses: words("process.kill"),
    allowed: { ...WORLD, ...PROGRAMS, "src/serve/cli/": "exits" },
    instead: "take an interface from base that app/world.ts builds",
  },
  {
    name: "exiting",
    uses: words("process.exit process.exitCode process.abort process.reallyExit"),
    allowed: { "src/serve/cli/": "exits" },
    instead: "throw an AppError and let serve/cli exit",
  },
  {
    name: "machine",
    uses: words("node: process globalThis global"),
    allowed: {
      ...WORLD,
      ...PROGRAMS,
      ...FAKES,
      "src/serve/cli/": "arguments, input, signals",
      "src/serve/term/": "input, signals",
    },
    instead: "take an interface from base that app/world.ts builds",
  },
];

function words(text: string): string[] {
  return text.split(/\s+/);
}

interface Fault {
  text: string;
  at: number;
}

const MOVE = "move what is shared to the left, or declare an interface here and implement it there";

/** One line per broken rule: where it is, what it does and what to do instead. Paths start with `src/`. */
export function violations(files: ReadonlyMap<string, string>): string[] {
  return [...files.keys()].toSorted().flatMap((path) => violationsOf(path, files.get(path) ?? ""));
}

function violationsOf(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  const imports = importsOf(program);
  const faults = [
    ...errors.map(({ message }) => ({ text: `cannot be read: ${message}`, at: 0 })),
    ...placeFaults(path),
    ...imports.flatMap((seen) => importFaults(path, seen)),
    ...(isTest(path) ? [] : [...imports, ...globalsOf(program)].flatMap((seen) => reachFaults(path, seen))),
  ];
  return faults.toSorted((a, b) => a.at - b.at).map(({ text, at }) => `${path}:${lineOf(source, at)} ${text}`);
}

function lineOf(source: string, at: number): number {
  return source.slice(0, at).split("\n").length;
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function roomOf(path: string): string {
  const [, room = "", ...inside] = path.split("/");
  return inside.length === 0 ? "entries" : room;
}

function rankOf(room: string): number {
  return LAST.has(room) ? ROOMS.length : ROOMS.indexOf(room);
}

/** The folder or loose file in its room; a test belongs to the part it tests. */
function partOf(path: string): string {
  const [, , part = ""] = path.split("/");
  return part.replace(/\.test\.ts$/, ".ts");
}

function placeFaults(path: string): Fault[] {
  const room = roomOf(path);
  if (rankOf(room) < 0) return [{ text: `lies in ${room}, which is no room: use one of ${ROOMS.join(", ")}`, at: 0 }];
  const parts = PARTS[room];
  const part = partOf(path);
  if (!parts || part in parts || part.endsWith(".ts")) return [];
  return [{ text: `lies in ${room}/${part}, which is not on the map: give it a row in test/layers.ts`, at: 0 }];
}

function importFaults(path: string, { name, at }: Seen): Fault[] {
  const target = resolve(path, name);
  const advice = target && adviceAgainst(path, target);
  return advice ? [{ text: `imports ${target}: ${advice}`, at }] : [];
}

/** The file a specifier means; undefined for modules of Node and npm. */
function resolve(from: string, specifier: string): string | undefined {
  if (/^skillward(\/|$)/.test(specifier)) return "src/index.ts";
  return /^\.{1,2}(\/|$)/.test(specifier) ? join(dirname(from), specifier) : undefined;
}

function adviceAgainst(path: string, target: string): string | undefined {
  if (isTest(target)) return "a test is imported by nobody; move what is shared to src/testing";
  if (!target.startsWith("src/")) return adviceOutside(path, target);
  const [from, to] = [roomOf(path), roomOf(target)];
  if (isTest(path) && LAST.has(to)) return undefined;
  if (rankOf(from) < rankOf(to)) return `imports point left, ${to} stands to the right of ${from}; ${MOVE}`;
  return from === to ? adviceInside(from, partOf(path), partOf(target)) : undefined;
}

function adviceOutside(path: string, target: string): string | undefined {
  if (isTest(path) || target.endsWith(".json")) return undefined;
  return "src imports nothing but data from outside src; move it into a room";
}

function adviceInside(room: string, part: string, target: string): string | undefined {
  const parts = PARTS[room];
  if (!parts || part === target || !(target in parts)) return undefined;
  return parts[part]?.includes(target) ? undefined : `in ${room}, ${part} does not import ${target}; ${MOVE}`;
}

function reachFaults(path: string, { name, at }: Seen): Fault[] {
  const reach = reachOf(name);
  if (!reach || Object.keys(reach.allowed).some((place) => isWithin(path, place))) return [];
  const places = Object.keys(reach.allowed).join(", ") || "nowhere";
  return [{ text: `uses ${name} (${reach.name}, allowed in: ${places}): ${reach.instead}`, at }];
}

function isWithin(path: string, place: string): boolean {
  return place.endsWith("/") ? path.startsWith(place) : path === place;
}

function reachOf(name: string): Reach | undefined {
  const fitting = REACHES.flatMap((reach) =>
    reach.uses.filter((use) => fits(name, use)).map((use) => ({ reach, use })),
  );
  return fitting.toSorted((a, b) => b.use.length - a.use.length)[0]?.reach;
}

function fits(name: string, use: string): boolean {
  return (
    name === use || [".", "/"].some((mark) => name.startsWith(use + mark)) || (use === "node:" && name.startsWith(use))
  );
}
