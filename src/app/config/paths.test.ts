import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../../test/support/refusal.ts";
import { parseEnvironment } from "./config.ts";
import { parseConfig } from "./config-file.ts";
import { type PlaceOptions, placesOf, storeOf } from "./paths.ts";

type Set = Readonly<Record<string, string>>;
const places = (set: Set, options: PlaceOptions = {}) => placesOf(parseEnvironment(set), options);
const home = { HOME: "/home/ada" };
const xdg = { ...home, XDG_CONFIG_HOME: "/xdg/config", XDG_DATA_HOME: "/xdg/data" };

describe("where things are looked for", () => {
  test("in the user's own folders", () => {
    expect(places(home)).toEqual({
      configFile: "/home/ada/.config/skillward/config.yaml",
      configWasNamed: false,
      dataFolder: "/home/ada/.local/share/skillward",
      keyFile: "/home/ada/.config/skillward/keys.json",
      checkpointFolder: "/home/ada/.local/share/skillward/checkpoints",
      spoolFolder: "/home/ada/.local/share/skillward/spool",
      cacheFolder: "/home/ada/.local/share/skillward/cache",
      indexFile: "/home/ada/.local/share/skillward/routing.index",
    });
  });

  test("in the XDG folders before HOME", () => {
    expect(places(xdg)).toMatchObject({
      configFile: "/xdg/config/skillward/config.yaml",
      configWasNamed: false,
      dataFolder: "/xdg/data/skillward",
      keyFile: "/xdg/config/skillward/keys.json",
      spoolFolder: "/xdg/data/skillward/spool",
      cacheFolder: "/xdg/data/skillward/cache",
    });
  });

  const named = { ...xdg, SKILLWARD_CONFIG: "/v/c.yaml", SKILLWARD_DATA: "/v/data", SKILLWARD_KEYS: "/v/k.json" };

  test("where a variable says before that", () => {
    expect(places(named)).toMatchObject({
      configFile: "/v/c.yaml",
      configWasNamed: true,
      dataFolder: "/v/data",
      keyFile: "/v/k.json",
      checkpointFolder: "/v/data/checkpoints",
    });
  });

  test("where an option says before all, relative if a person typed it so", () => {
    const options = { config: "c.yaml", data: "/o/data" };
    expect(places(named, options)).toMatchObject({
      configFile: "c.yaml",
      configWasNamed: true,
      dataFolder: "/o/data",
      spoolFolder: "/o/data/spool",
      cacheFolder: "/o/data/cache",
    });
  });

  test("XDG folders that are not absolute are ignored, as their specification says", () => {
    const set = { ...home, XDG_CONFIG_HOME: "config", XDG_DATA_HOME: "./data" };
    expect(places(set)).toEqual(places(home));
  });
});

describe("T44: nothing comes from the folder one stands in", () => {
  test.each(["SKILLWARD_CONFIG", "SKILLWARD_DATA", "SKILLWARD_KEYS"])("%s with a relative path is refused", (name) => {
    for (const path of ["x", "./x", "../x", "~/x"])
      expect(refusal(() => places({ ...home, [name]: path }))).toBe(`config.invalid ${name} must be an absolute path`);
  });

  test("the key file does not move along with the configuration file", () => {
    expect(places(home, { config: "/clone/config.yaml", data: "/clone/data" }).keyFile).toBe(places(home).keyFile);
  });

  test("whatever the variables hold, every place is absolute or nothing is opened", () => {
    const names = ["SKILLWARD_CONFIG", "SKILLWARD_DATA", "SKILLWARD_KEYS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"];
    const path = fc.oneof(fc.constantFrom("", ".", "..", "a", "./a", "~", "/", "/a", "/a/../b"), fc.string());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), path), (set) => {
        const outcome = refusal(() => {
          const { configWasNamed: _, ...found } = places(set);
          expect(Object.values(found).filter((place) => !place.startsWith("/"))).toEqual([]);
        });
        expect(outcome).toMatch(/^(not refused|config\.invalid )/);
      }),
    );
  });
});

describe("what cannot be told is refused, saying what to give", () => {
  test.each<[Set, PlaceOptions, string]>([
    [{}, {}, "--config <file> and --data <folder> and SKILLWARD_KEYS=<file>"],
    [{ HOME: "relative" }, {}, "--config <file> and --data <folder> and SKILLWARD_KEYS=<file>"],
    [{}, { config: "/c" }, "--data <folder> and SKILLWARD_KEYS=<file>"],
    [{ SKILLWARD_KEYS: "/k" }, { config: "/c" }, "--data <folder>"],
    [{ XDG_CONFIG_HOME: "/x" }, {}, "--data <folder>"],
  ])("without a home, %j and %j: give %s", (set, options, wanted) => {
    expect(refusal(() => places(set, options))).toBe(
      `config.invalid HOME is not set, so your own folders are not known; give ${wanted}`,
    );
  });

  test("no home is needed when all is given", () => {
    expect(places({ SKILLWARD_KEYS: "/k" }, { config: "/c", data: "/d" }).keyFile).toBe("/k");
  });

  test.each([{ config: "" }, { data: "" }])("an empty option, as of an unset shell variable: %j", (options) => {
    expect(refusal(() => places(home, options))).toMatch(/^config.invalid --(config|data) is empty/);
  });

  test("a mistyped variable, with the nearest known one; all of them at once", () => {
    const message = refusal(() => places({ ...home, SKILLWARD_DTA: "/d", SKILLWARD_ELEPHANT: "\u001b[2J" }));
    expect(message).toMatch(/^config\.invalid SKILLWARD_DTA is not a variable .*did you mean SKILLWARD_DATA\?; /);
    expect(message).toMatch(/SKILLWARD_ELEPHANT is not .*the known ones are SKILLWARD_CONFIG, /);
  });
});

describe("the store", () => {
  const store = (set: Set, text = "") => {
    const environment = parseEnvironment({ ...home, ...set });
    return storeOf(environment.store, parseConfig(text, "c.yaml").config, placesOf(environment));
  };

  test("is SQLite in the data folder, unless the file or, before it, the variable says otherwise", () => {
    expect(store({})).toEqual({ engine: "sqlite", file: "/home/ada/.local/share/skillward/skillward.db" });
    expect(store({}, "store: /srv/a.db")).toEqual({ engine: "sqlite", file: "/srv/a.db" });
    expect(store({}, "store: postgres://db/a")).toEqual({ engine: "postgres", url: "postgres://db/a" });
    const variable = { SKILLWARD_STORE: "postgresql://db/b" };
    expect(store(variable, "store: /srv/a.db")).toEqual({ engine: "postgres", url: "postgresql://db/b" });
  });

  test.each(["registry.db", "./registry.db", "mysql://u:hunter2@db", "postgres:/db", "/srv/\u202egnp.db", "/srv/"])(
    "T44: SKILLWARD_STORE=%j is refused, and not repeated: it may hold a password",
    (value) => {
      expect(refusal(() => store({ SKILLWARD_STORE: value }))).toBe(
        "config.invalid SKILLWARD_STORE or --store must be postgres://… or the absolute path of a SQLite file",
      );
    },
  );
});
