import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, inject, onTestFinished, test } from "vitest";
import { AppHome, appHome } from "../support/app-home.ts";
import { bundleChild } from "../support/bundle.ts";
import { fill } from "./filled-store.ts";
import { createDatabase } from "../support/postgres.mjs";

const program = bundleChild("src/cli/bin.ts");

function run(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env["PATH"] ?? "", USER: "ada", ...variables };
  const { status, stdout } = spawnSync(process.execPath, [program(), ...args, "--json"], { env, encoding: "utf8" });
  return { code: status, error: JSON.parse(stdout).error };
}

const refused = {
  code: 2,
  error: {
    code: "record.missing",
    message: expect.stringMatching(
      /^there is no store.* SKILLWARD_STORE or SKILLWARD_DATA.* nothing was made or changed$/,
    ),
  },
};

/** Every command that an operator forgets the variables of, and that would report success on a store made for it. */
const commands = (home: AppHome) => [
  ["backup", "--to", home.path("backup")],
  ["keys", "rotate"],
];

test("RV-8, T40: without a store nothing is backed up or rotated, and nothing is made", async () => {
  const home = await appHome();
  for (const args of commands(home)) expect(run(args, { HOME: home.root })).toEqual(refused);
  expect(readdirSync(home.root)).toEqual([]);
});

test("T40: whoever forgets SKILLWARD_STORE does not rotate the key file of the nodes", async () => {
  const home = await appHome("PostgreSQL");
  await fill(home);
  await home.close();
  const before = readFileSync(home.keyFile);
  const data = readdirSync(home.path("data"));
  const variables = { HOME: home.root, SKILLWARD_DATA: home.path("data"), SKILLWARD_KEYS: home.keyFile };
  for (const args of commands(home)) expect(run(args, variables)).toEqual(refused);
  expect(readFileSync(home.keyFile)).toEqual(before);
  expect(readdirSync(home.path("data"))).toEqual(data);
  expect(run(["keys", "rotate"], { ...variables, SKILLWARD_STORE: home.environment.store ?? "" }).code).toBe(0);
  expect(readFileSync(home.keyFile)).not.toEqual(before);
});

test("RV-8, T40: an empty database is no store, and stays empty", async () => {
  const home = new AppHome(await createDatabase(inject("postgres")));
  onTestFinished(() => home.remove());
  const variables = { HOME: home.root, SKILLWARD_STORE: home.environment.store ?? "" };
  for (const args of commands(home)) expect(run(args, variables)).toEqual(refused);
  expect(readdirSync(home.root)).toEqual([]);
  expect(await home.sql("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});
