// A real PostgreSQL for tests and benchmarks: nothing to install, nothing left behind.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { preparePrograms } from "./postgres-programs.mjs";

const keeperFile = fileURLToPath(new URL("postgres.child.mjs", import.meta.url));

/**
 * Starts a new, empty server on a free port of 127.0.0.1.
 *
 * Without `durable` nothing is flushed to disk: quicker, and only a crash of the machine could lose what was written.
 * With `restarts` a server that was killed is started again, on the same data and the same port.
 * `halt` shuts it down until `go` starts it again, on the same data and the same port.
 * `onAlarm` is called at once with a line of the log that is a reason for later failures, and with the last lines of the log
 * when the server ends before `stop`.
 * @param {{ durable?: boolean, restarts?: boolean, onAlarm?: (text: string) => void }} [options]
 * @returns {Promise<{ url: string, stop: () => Promise<void>, halt: () => Promise<void>, go: () => Promise<void> }>}
 */
export async function startPostgres({ durable = true, restarts = false, onAlarm = () => {} } = {}) {
  const keeper = forkKeeper({ programs: await preparePrograms(), durable, restarts });
  const ended = new Promise((resolve) => keeper.once("exit", (code, signal) => resolve(code ?? signal)));
  let failure;
  let isStopping = false;
  keeper.on("message", (word) => {
    failure = word.failure ?? failure;
    const alarm = word.alarm ?? word.failure;
    if (alarm !== undefined && !isStopping) onAlarm(alarm);
  });
  keeper.once("exit", (code, signal) => {
    if (!isStopping) onAlarm(`its keeper ended with ${code ?? signal}, and the server with it`);
  });

  async function stop() {
    isStopping = true;
    // What it said already may still be in the pipe, and would be lost with it.
    await new Promise((resolve) => void setImmediate(resolve));
    if (keeper.connected) keeper.disconnect();
    const end = await ended;
    if (failure !== undefined) throw new Error(failure);
    if (end !== 0) throw new Error(`The keeper of PostgreSQL ended with ${end}: look for a server that it left`);
  }
  async function say(word, key) {
    const heard = new Promise((resolve) => {
      keeper.on("message", function hear(answer) {
        if (answer[key] === undefined && answer.failure === undefined) return;
        keeper.off("message", hear);
        resolve();
      });
    });
    keeper.send(word);
    await heard;
  }
  const url = await firstWord(keeper);
  return {
    url,
    stop,
    halt: () => say({ halt: true }, "halted"),
    go: () => say({ halt: false }, "url"),
  };
}

/** It outlives this process by the moment it needs to end the server, however hard this process dies. */
function forkKeeper(order) {
  return fork(keeperFile, [JSON.stringify(order)], {
    // A group of its own: Ctrl-C in a terminal is meant for the tests, and the keeper hears of it by their end.
    detached: true,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

function firstWord(keeper) {
  return new Promise((resolve, reject) => {
    keeper.once("error", reject);
    keeper.once("disconnect", () => reject(new Error("The keeper of PostgreSQL ended without a word")));
    keeper.on("message", ({ url, failure }) => {
      if (url !== undefined) resolve(url);
      else if (failure !== undefined) reject(new Error(failure));
    });
  });
}

/**
 * Makes an empty database on the server of `url`.
 * @param {string} url
 * @returns {Promise<string>} its own url
 */
export async function createDatabase(url) {
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copied as files: written to the log as well, it takes three times as long.
  await run(url, `create database ${name} strategy file_copy`);
  return otherDatabase(url, name);
}

/**
 * Drops the database of `url`, whoever is still connected to it.
 * @param {string} url
 * @returns {Promise<void>}
 */
export async function dropDatabase(url) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  await run(otherDatabase(url, "postgres"), `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
}

async function run(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function otherDatabase(url, name) {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
