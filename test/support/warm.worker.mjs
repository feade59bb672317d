// Between a test that stands still until a command has ended and the process that runs it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { workerData } from "node:worker_threads";

const { port, ended, bin } = workerData;
const child = fork(fileURLToPath(new URL("warm.child.mjs", import.meta.url)), [bin], {
  execArgv: ["--expose-gc"],
  env: {},
  // Input may be bytes.
  serialization: "advanced",
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const gone = once(child, "exit").then(([code, signal]) => {
  throw new Error(`the process that runs commands has ended: ${code ?? signal}`);
});
gone.catch(() => {});

let last = Promise.resolve();
port.on("message", (order) => (last = last.then(() => answer(order))));

async function answer(order) {
  const heard = once(child, "message");
  // To a process that has ended it fails, which is said by `gone`.
  child.send(order, () => {});
  const [said] = await Promise.race([heard, gone]).catch((error) => [{ failed: error.message }]);
  port.postMessage(said);
  Atomics.add(ended, 0, 1);
  Atomics.notify(ended, 0);
}
