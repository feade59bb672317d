// Runs the built command line again and again in one process that has loaded it once: most of a command's time is
// loading. Each run has its own arguments, environment, folder, input and output; what it says is sent back.
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";

const [, , bin] = process.argv;
const program = pathToFileURL(bin).href;
let runs = 0;

process.once("disconnect", () => process.exit());
process.on("message", (order) => void run(order));

async function run({ args, env, cwd, input }) {
  const out = capture(process.stdout);
  const err = capture(process.stderr);
  process.argv = [process.execPath, bin, ...args];
  process.exitCode = undefined;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, "stdin", { value: new PassThrough().end(input), configurable: true });
  // A name of its own: a module that was imported once is not run again. It has ended when the command has.
  await import(`${program}?run=${++runs}`);
  process.chdir("/");
  // The driver of SQLite lets go of a file when its statements are collected.
  if (runs % 20 === 0) globalThis.gc();
  process.send({ code: process.exitCode ?? 0, out: out(), err: err() });
}

function capture(stream) {
  const said = [];
  stream.write = (text) => said.push(text) > 0;
  // What is captured is read by a test, also where the tests themselves run at a terminal.
  stream.isTTY = false;
  stream.removeAllListeners("error");
  return () => said.join("");
}
