/**
 * A GitHub on loopback with one repository of so many skills, and `git daemon` with the same one. A process of its own,
 * so that serving does not share a thread with what is measured. Says where they are; `{ count: true }` is answered with
 * the requests since the last time.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { basename, dirname } from "node:path";
import { startGitHub } from "skillward/testing";
import { generateSkill } from "./skills.mjs";

const count = Number(process.argv[2]);
const github = await startGitHub();
const repository = await github.repository("bench/skills");
const skills = Array.from({ length: count }, (_, at) => generateSkill(at));
await repository.push(Object.fromEntries(skills.map(({ folder, text }) => [`skills/${folder}/SKILL.md`, text])));

const port = await freePort();
const daemon = spawn(
  "git",
  ["daemon", "--export-all", "--listen=127.0.0.1", `--port=${port}`, `--base-path=${dirname(repository.folder)}`],
  { stdio: "ignore" },
);

let seen = 0;
process.on("message", (message) => {
  if (message.push !== undefined) void push(message.push);
  if (message.count) {
    const since = github.requests.slice(seen);
    seen = github.requests.length;
    process.send({ api: since.filter(({ service }) => service === "api").length, all: since.length });
  }
});
process.on("disconnect", () => {
  daemon.kill();
  void github.close().then(() => process.exit(0));
});

process.send({
  configuration: github.configuration("bench"),
  clone: `git://127.0.0.1:${port}/${basename(repository.folder)}`,
  bytes: skills.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
});

async function push(number) {
  const { folder, text } = generateSkill(number);
  await repository.push({ [`skills/${folder}/SKILL.md`]: `${text}\nChanged.\n` });
  process.send({ pushed: true });
}

/** The daemon wants to be told one. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
