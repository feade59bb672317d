import { dirname, join } from "node:path/posix";
import { parseSync } from "rolldown/utils";
import { globalsOf, importsOf, type Seen } from "./syntax.ts";

/**
 * Imports point one way: each room imports itself and what stands before it. `testing` and the top-level files of src
 * (`index.ts` …) stand last.
 */
const ROOMS = words(`core net skill sources scan diff registry routing compose scope models agent workspace store app
  features server terminal cli`);
const LAST = new Set(["testing", "entries"]);

/** Rooms that stand side by side: none of them imports another one. */
const APART: readonly (readonly string[])[] = [
  ["routing", "compose", "scope"],
  ["server", "terminal"],
];

interface Reach {
  name: string;
  /** Modules and dotted globals; each stands for everything below it, the longest one that fits decides. */
  uses: readonly string[];
  /** Where it may be used, and why there. A place that ends in `/` is a folder. */
  allowed: Readonly<Record<string, string>>;
  instead: string;
}

const WORLD = { "src/app/world/world.ts": "builds the interfaces of core" };
const PROGRAMS = { "src/app/world/processes.ts": "starts programs and ends them" };
const FAKES = { "src/testing/": "fakes are real implementations" };
const PORT = "declare a port beside the room and let store implement it";

/** The world is reached only through the interfaces in `core`. Built-in modules without a row are `machine`. */
const REACHES: readonly Reach[] = [
  {
    name: "nothing outside",
    // What console, crypto and process export is ruled by name below, as the globals are.
    uses: words(`node:assert node:async_hooks node:buffer node:console node:crypto node:events node:path node:process
      node:querystring node:readline node:stream node:string_decoder node:url node:util node:zlib`),
    allowed: { "src/": "pure" },
    instead: "",
  },
  {
    name: "disk",
    uses: words("node:fs"),
    allowed: {
      ...WORLD,
      ...FAKES,
      "src/app/world/listing.ts": "lists folders, for world.ts",
      "src/app/world/regular-file.ts": "reads files, for world.ts",
      "src/app/world/watching.ts": "watches folders, for world.ts",
    },
    instead: "take Files from core",
  },
  {
    name: "network",
    uses: words(`node:net node:https node:http2 node:dns node:dgram node:tls undici fetch WebSocket EventSource
      http.request http.get http.Agent http.globalAgent http.ClientRequest`),
    allowed: { ...FAKES, "src/net/": "the only code that opens a connection, but for the driver of PostgreSQL" },
    instead: "take the transport from core",
  },
  {
    name: "listening",
    // What of this module opens a connection is ruled by name above.
    uses: words("node:http"),
    allowed: { ...FAKES, "src/server/server.ts": "listens" },
    instead: "take the transport from core, or mount a door on server/server.ts",
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
      "src/features/routing/index-worker.ts": "the program of a thread",
      "src/scope/sandbox/contract-worker.ts": "the program of a thread",
    },
    instead: "take an interface from core that app/world builds",
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
    allowed: { ...WORLD, "src/scope/sandbox/contract-worker.ts": "counts how long a contract takes" },
    instead: "take Clock from core",
  },
  {
    name: "randomness",
    uses: words(`Math.random crypto.randomUUID crypto.randomBytes crypto.randomInt crypto.getRandomValues
      crypto.randomFill crypto.randomFillSync crypto.pseudoRandomBytes crypto.webcrypto crypto.subtle.generateKey
      crypto.generateKey crypto.generateKeySync crypto.generateKeyPair crypto.generateKeyPairSync`),
    allowed: WORLD,
    instead: "take the randomness from core",
  },
  {
    name: "environment",
    uses: words("process.env process.loadEnvFile"),
    allowed: { "src/app/config/config.ts": "the only reader of the environment" },
    instead: "take the value from the configuration",
  },
  {
    name: "printing",
    uses: words("console process.stdout process.stderr process.emitWarning"),
    allowed: { "src/cli/": "prints", "src/terminal/": "prints" },
    instead: "return a value or a finding and let the door print it",
  },
  {
    name: "signals",
    uses: words("process.kill"),
    allowed: { ...WORLD, ...PROGRAMS, "src/cli/": "exits" },
    instead: "take an interface from core that app/world builds",
  },
  {
    name: "exiting",
    uses: words("process.exit process.exitCode process.abort process.reallyExit"),
    allowed: { "src/cli/": "exits" },
    instead: "throw an AppError and let cli exit",
  },
  {
    name: "machine",
    uses: words("node: process globalThis global"),
    allowed: {
      ...WORLD,
      ...PROGRAMS,
      ...FAKES,
      "src/cli/": "arguments, input, signals",
      "src/terminal/": "input, signals",
    },
    instead: "take an interface from core that app/world builds",
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

/**
 * Folders that import each other in a circle, each circle once. A folder and one inside of it may know each other: they are
 * one thing in two parts.
 */
export function folderCycles(files: ReadonlyMap<string, string>): string[][] {
  const imports = new Map<string, Set<string>>();
  for (const [path, source] of files) {
    if (isTest(path)) continue;
    const from = dirname(path);
    for (const { name } of importsOf(parseSync(path, source).program)) {
      const target = resolve(path, name);
      const to = target === undefined ? from : dirname(target);
      if (!target?.startsWith("src/") || isWithin(`${from}/`, `${to}/`) || isWithin(`${to}/`, `${from}/`)) continue;
      imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder, imports)]));
  const circles = [...reached].map(([folder, all]) => [...all].filter((other) => reached.get(other)?.has(folder)));
  const texts = circles.filter(({ length }) => length > 1).map((circle) => circle.toSorted().join(" "));
  return [...new Set(texts)].map((circle) => circle.split(" "));
}

function reachedFrom(folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const other of imports.get(next) ?? []) {
      if (!found.has(other)) open.push(other);
      found.add(other);
    }
  return found;
}

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

function placeFaults(path: string): Fault[] {
  const room = roomOf(path);
  if (rankOf(room) < 0) return [{ text: `lies in ${room}, which is no room: use one of ${ROOMS.join(", ")}`, at: 0 }];
  return [];
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
  if (from !== to && APART.some((rooms) => rooms.includes(from) && rooms.includes(to)))
    return `${from} does not import ${to}, they stand side by side; ${MOVE}`;
  return undefined;
}

function adviceOutside(path: string, target: string): string | undefined {
  if (isTest(path) || target.endsWith(".json")) return undefined;
  return "src imports nothing but data from outside src; move it into a room";
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
