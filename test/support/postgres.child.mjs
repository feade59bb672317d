// One PostgreSQL for as long as the process that forked this one is there: made, kept, and removed without a trace.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { programs, durable, restarts } = JSON.parse(process.argv[2]);
const password = randomBytes(16).toString("hex");
/** PostgreSQL refuses to run as root: root gives it the account that owns nothing. */
const account = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
/** In English, because its log is read here, and without the caller's PG… variables. */
const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
const linesKept = 30;
const fastShutdown = 10_000;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => void tell({ alarm: `its keeper received ${signal}` }).then(leave));

/** Lines of the log that explain why clients of a server are refused from then on. */
const alarming =
  /PANIC:|was terminated by signal|too many clients|could not fork|No space left|checkpoint request failed|startup process failure/;

/** While it is halted: when it is to go on. */
let goOn;
process.on("message", ({ halt }) => {
  if (halt) goOn = Promise.race([once(process, "message"), once(process, "disconnect")]);
});

const folder = await mkdtemp(join(tmpdir(), "skillward-pgdata-"));
const failure = await keepServer().then(
  () => "PostgreSQL was shut down by somebody else",
  (error) => error.message,
);
// Told first: whoever sees that the folder is gone can rely on having been told why.
await tell({ failure });
await rm(folder, { recursive: true, force: true });
leave();

async function keepServer() {
  await makeCluster();
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const serve = () =>
    run("postgres", serverOptions(port), (line) => {
      if (line.endsWith("database system is ready to accept connections")) void tell({ url });
      if (alarming.test(line)) void tell({ alarm: line });
    });
  for (;;) {
    try {
      await serve();
      if (goOn === undefined) return;
      await tell({ halted: true });
      await goOn;
      goOn = undefined;
    } catch (error) {
      if (!restarts || error.signal !== "SIGKILL" || !process.connected) throw error;
    }
  }
}

async function makeCluster() {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined) for (const path of [passwordFile, folder]) await chown(path, account.uid, account.gid);
  const access = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  // Not the order of bytes: a query that relies on it without saying so is to be noticed here.
  const text = ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"];
  await run("initdb", [`--pgdata=${join(folder, "data")}`, "--no-sync", ...access, ...text]);
}

function serverOptions(port) {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    fsync: durable ? "on" : "off",
  };
  return [
    "-D",
    join(folder, "data"),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Until it has ended: by itself, or because the process that wanted it is gone. */
function run(program, args, hear = () => {}) {
  const path = programs === null ? program : join(programs, program);
  const child = spawn(path, args, { ...account, cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const lastLines = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > linesKept) lastLines.shift();
      hear(line);
    });
  endWhenAlone(child);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(notStarted(program, error))));
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(ended(`${path} ended with ${code ?? signal}, and said last:`, lastLines, signal));
    });
  });
}

function ended(how, lastLines, signal) {
  return Object.assign(new Error([how, ...lastLines].join("\n")), { signal });
}

function endWhenAlone(child) {
  const end = () => {
    child.kill("SIGINT");
    const immediate = setTimeout(() => child.kill("SIGQUIT"), fastShutdown);
    child.once("close", () => clearTimeout(immediate));
  };
  process.once("disconnect", end);
  process.once("message", end);
  child.once("close", () => process.off("disconnect", end).off("message", end));
  if (!process.connected) end();
}

function notStarted(program, { code, message }) {
  if (code === "ENOENT" && programs === null)
    return `There is no PostgreSQL here: run \`npm install\`, or put ${program} on the PATH`;
  return `PostgreSQL could not be started: ${message}`;
}

/** Never throws: that nobody listens any more must not end this process before the server. */
async function tell(word) {
  if (process.connected) await new Promise((told) => process.send(word, told));
}

function leave() {
  if (process.connected) process.disconnect();
}
