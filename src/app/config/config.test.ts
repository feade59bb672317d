import { expect, test } from "vitest";
import { childEnvironment, parseEnvironment, variables } from "./config.ts";

test.each([
  [{}, "auto"],
  [{ NO_COLOR: "1" }, "never"],
  [{ NO_COLOR: "" }, "auto"],
  [{ FORCE_COLOR: "1" }, "always"],
  [{ FORCE_COLOR: "0" }, "auto"],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, "never"],
  [{ TERM: "dumb" }, "never"],
])("colours with %j: %s", (set, colour) => {
  expect(parseEnvironment(set).colour).toBe(colour);
});

test("debugging is off unless asked for", () => {
  expect(parseEnvironment({}).debug).toBe(false);
  expect(parseEnvironment({ SKILLWARD_DEBUG: "1" }).debug).toBe(true);
});

const nothingSet = {
  colour: "auto",
  debug: false,
  isDumb: false,
  config: null,
  data: null,
  keys: null,
  store: null,
  apiKey: null,
  oidcSecret: null,
  webhookSecret: null,
  configHome: null,
  dataHome: null,
  home: null,
  account: null,
  unknown: [],
  variable: expect.any(Function),
};

test("without variables, or with empty ones, the environment says nothing", () => {
  const names = [...Object.keys(variables), "SKILLWARD_OTHER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME", "USER"];
  expect(parseEnvironment({})).toEqual(nothingSet);
  expect(parseEnvironment(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(nothingSet);
});

test("every variable has its place, and none of ours is unknown", () => {
  const places = {
    config: "SKILLWARD_CONFIG",
    data: "SKILLWARD_DATA",
    keys: "SKILLWARD_KEYS",
    store: "SKILLWARD_STORE",
    apiKey: "SKILLWARD_API_KEY",
    oidcSecret: "SKILLWARD_OIDC_SECRET",
    webhookSecret: "SKILLWARD_WEBHOOK_SECRET",
    configHome: "XDG_CONFIG_HOME",
    dataHome: "XDG_DATA_HOME",
    home: "HOME",
    account: "USER",
  };
  const all = [...Object.keys(variables), ...Object.values(places)];
  expect(parseEnvironment(Object.fromEntries(all.map((name) => [name, name])))).toEqual({
    ...nothingSet,
    ...places,
    debug: true,
    isDumb: false,
  });
});

test("the account is USER, else LOGNAME", () => {
  expect(parseEnvironment({ USER: "ada", LOGNAME: "bob" }).account).toBe("ada");
  expect(parseEnvironment({ LOGNAME: "bob" }).account).toBe("bob");
});

test("T44: a variable that is meant for us and not known is listed, others are not", () => {
  const set = { SKILLWARD_STROE: "x", SKILLWARD_A: "1", SKILLWARD_DATA: "/d", SKILLWARDEN: "1", PATH: "/bin" };
  expect(parseEnvironment(set).unknown).toEqual(["SKILLWARD_A", "SKILLWARD_STROE"]);
  expect(parseEnvironment({ SKILLWARD_toString: "1" }).unknown).toEqual(["SKILLWARD_toString"]);
});

test("IN-6: a variable that a person named is read by exactly this name", () => {
  const set = { GITHUB_TOKEN: "ghp_x", EMPTY: "", "A B": "no", "1A": "no", "A=B": "no", Ä: "no", _a1: "yes" };
  const { variable } = parseEnvironment(set);
  expect([variable("GITHUB_TOKEN"), variable("_a1")]).toEqual(["ghp_x", "yes"]);
  for (const name of ["EMPTY", "github_token", "A B", "1A", "A=B", "Ä", "", "__proto__", "constructor", "toString"])
    expect([name, variable(name)]).toEqual([name, null]);
});

test("T44: git below us takes no folder for a repository that only looks like one, and runs nothing to learn what changed", () => {
  const { PATH: _, ...set } = childEnvironment({
    GIT_CONFIG_COUNT: "7",
    GIT_CONFIG_KEY_0: "core.pager",
    GIT_DIR: "/x",
  });
  expect(set).toEqual({
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "safe.bareRepository",
    GIT_CONFIG_VALUE_0: "explicit",
    GIT_CONFIG_KEY_1: "core.fsmonitor",
    GIT_CONFIG_VALUE_1: "false",
  });
});
