import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createHomes } from "../support/cli-home.ts";
import { furnish } from "./rights.ts";

const { home, once, remove } = createHomes();
afterAll(remove);

const furnished = once(() => {
  const made = home();
  furnish(made);
  return made;
});

const password = "correct horse of accounts-cli";
const addUser = (name: string, role: string) => ["user", "add", name, "--role", role, "--password-stdin"];

describe("RV-12: users", () => {
  const withAnna = once(() => {
    const made = home();
    made.json(addUser("anna", "admin"), { input: password });
    return made;
  });

  test("RV-12: a journey: add, list, role, reset, disable, enable, remove", () => {
    const here = home();
    expect(here.run(["user", "list"]).out).toContain("skillward user add <name> --role admin");
    const anna = here.run(addUser("anna", "admin"), { input: `${password}\n` });
    expect(anna).toMatchObject({ code: 0, out: expect.stringMatching(/^role +admin\nstate +enabled$/m) });
    const ben = here.json(addUser("ben", "reader"), { input: `${password} of ben` });
    expect(ben).toEqual({
      name: "ben",
      role: "reader",
      createdAt: expect.any(Number),
      disabledAt: null,
      state: "enabled",
    });
    expect(here.run(["user", "list"]).out).toMatch(/^anna +admin +enabled +20\S+ \S+ UTC\nben +reader +enabled/m);
    expect(here.json(["user", "role", "ben", "operator"])).toMatchObject({ role: "operator" });
    const reset = here.run(["user", "reset", "ben", "--password-stdin"], { input: `${password} once more` });
    expect(reset).toMatchObject({ code: 0, out: expect.stringContaining("Replaced the password of ben.") });
    expect(here.json(["user", "disable", "ben"]).state).toBe("disabled");
    expect(here.json(["user", "enable", "ben"]).state).toBe("enabled");
    expect(here.run(["user", "remove", "ben"]).out).toBe("Removed user ben and revoked their keys\n");
    const { users, findings } = here.json(["user", "list"]);
    expect({ names: users.map(({ name }: { name: string }) => name), findings }).toEqual({
      names: ["anna"],
      findings: [],
    });
  });

  test("RV-12: a password that is made is shown once, and is kept nowhere", () => {
    const here = home();
    const { password: made } = here.json(["user", "add", "anna", "--role", "admin", "--generate"]);
    expect(made).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    const { out } = here.run(["user", "reset", "anna", "--generate"]);
    const [, again = ""] = /^([a-z2-9-]{23})\n\nThis is the password\. It is not shown again\.$/m.exec(out) ?? [];
    expect(again).not.toBe("");
    expect(again).not.toBe(made);
    here.run(["user", "list", "--json"]);
    expect(here.printed.split(made)).toHaveLength(2);
    expect(here.printed.split(again)).toHaveLength(2);
    expect([...here.leaks(made), ...here.leaks(again)].filter((where) => where !== "printed")).toEqual([]);
  });

  test.each<[string, string[], string, RegExp]>([
    ["no terminal and nothing piped", ["user", "add", "new", "--role", "reader"], "", /^there is no terminal to ask/],
    ["a short password", addUser("new", "reader"), "short\n", /^a password must have 12 to 1024 characters/],
    ["an empty one", addUser("new", "reader"), "\n", /^nothing was typed or piped in/],
    ["two ways at once", [...addUser("new", "reader"), "--generate"], "", /^give --generate or --password-stdin/],
    ["a name that is none", addUser("Key:x", "reader"), password, /^"Key:x" cannot be a name/],
    ["a name that is taken", addUser("anna", "reader"), password, /^there is a user "anna" already/],
    ["a user who is not there", ["user", "reset", "gone", "--password-stdin"], password, /^there is no user "gone"/],
    ["the last admin going", ["user", "remove", "anna"], "", /^anna is the last enabled admin/],
    ["the last admin stepping down", ["user", "role", "anna", "reader"], "", /^anna is the last enabled admin/],
  ])("%s is refused, and nothing is changed", (_what, args, input, message) => {
    const here = withAnna();
    const before = here.fingerprint();
    expect(here.refusal(args, { input })).toMatchObject({ exit: 2, message: expect.stringMatching(message) });
    expect(here.fingerprint()).toBe(before);
  });

  test("T18: a row that was changed by hand is shown as what it is, with a finding", () => {
    const here = withAnna();
    const database = here.database;
    database.exec("UPDATE users SET role = 'admin\u001b[31m' WHERE name = 'anna'");
    database.close();
    const { code, out } = here.run(["user", "list"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^anna +admin\\u\{1b\}\[31m +tampered/m);
    expect(out).toContain("account.tampered");
    expect(out).not.toContain("\u001b");
  });
});

describe("RV-12: keys", () => {
  test("RV-12: a journey: add, use, list, revoke", () => {
    const here = home();
    expect(here.run(["key", "list"]).out).toContain("skillward key add <name> --role <role>");
    const added = here.run(["key", "add", "ci", "--role", "reader"]);
    const [text = ""] = /skw_[0-9a-f]{16}_[\w-]{43}/.exec(added.out) ?? [];
    expect(added.out).toContain("It is not shown again");
    expect(here.json(["source", "list"], { as: text })).toEqual([]);

    const { key, ...record } = here.json(["key", "add", "shop", "--role", "operator"]);
    expect(key).toMatch(/^skw_/);
    expect(Object.keys(record)).toEqual("id name role user configurations createdAt revokedAt state".split(" "));
    const listed = here.json(["key", "list"]);
    expect(listed.keys).toContainEqual(record);
    expect(JSON.stringify(listed)).not.toMatch(/hash|seal|skw_/);
    expect(here.run(["key", "list"]).out).toMatch(
      new RegExp(`^${record.id} +shop +operator +active +- +.* +all$`, "m"),
    );

    expect(here.run(["key", "revoke", "ci"]).out).toContain("The key works no more.");
    expect(here.json(["key", "revoke", record.id])).toMatchObject({ name: "shop", state: "revoked" });
    for (const used of [text, key])
      expect(here.refusal(["source", "list"], { as: used })).toMatchObject({ exit: 2, code: "auth.failed" });
    expect(here.refusal(["key", "revoke", "ci"]).message).toMatch(/^there is no key "ci"/);
    for (const shown of [text, key]) expect(here.leaks(shown)).toEqual(["printed"]);
    for (const shown of [text, key]) expect(here.printed.split(shown)).toHaveLength(2);
  });

  test("RV-12: what is no key of this store is refused, and not repeated", () => {
    const here = home();
    const foreign = `skw_0123456789abcdef_${"A".repeat(43)}`;
    for (const as of [foreign, "nonsense-key-text"]) {
      expect(here.refusal(["source", "list"], { as })).toMatchObject({ exit: 2, code: "auth.failed" });
      expect(here.printed).not.toContain(as);
    }
  });

  test("RV-12: a key of a user never may more than they do, and goes with them", () => {
    const here = home();
    here.json(addUser("anna", "admin"), { input: password });
    here.json(addUser("ben", "reader"), { input: password });
    const { key } = here.json(["key", "add", "laptop", "--role", "admin", "--user", "ben"]);
    expect(here.refusal(["provider", "list"], { as: key })).toMatchObject({
      code: "auth.forbidden",
      message: expect.stringContaining("ben is reader"),
    });
    here.json(["user", "role", "ben", "admin"]);
    expect(here.json(["provider", "list"], { as: key })).toEqual([]);
    here.json(["user", "disable", "ben"]);
    expect(here.refusal(["source", "list"], { as: key }).code).toBe("auth.failed");
    here.json(["user", "remove", "ben"]);
    expect(here.json(["key", "list"]).keys).toMatchObject([{ name: "laptop", state: "revoked" }]);
  });

  test("RV-12: a key that is limited to configurations touches no other, nor what concerns all", () => {
    const here = furnished();
    const { key: as } = here.json(["key", "add", "shop", "--role", "operator", "--configuration", "support"]);
    expect(here.json(["config", "list"], { as })).toMatchObject([{ id: "support" }]);
    expect(here.json(["config", "set", "support", "--budget", "100"], { as }).budget).toBe(100);
    expect(here.json(["attach", "support", "writing"], { as }).attached).toHaveLength(2);
    const before = here.fingerprint();
    for (const act of [
      "config show unused",
      "config set unused --budget 100",
      "config add new --provider main --model small",
      "config remove unused",
      "task add new --configuration unused --template {{input}}",
      "task set summary --configuration unused",
      "attach unused writing",
      "attach unused nothing",
      "provider list",
      "source list",
      "source show house",
      "review",
      "review writing",
      "block list",
      "trigger list",
      "skill published",
    ])
      expect(here.refusal(act.split(" "), { as })).toMatchObject({ exit: 2, code: "auth.forbidden" });
    expect(here.fingerprint()).toBe(before);
  });

  test.each<[string, string, RegExp]>([
    ["a misspelt configuration", "new --role reader --configuration suport", /did you mean support\?/],
    [
      "a limit on a role that goes around it",
      "new --role admin --configuration support",
      /operator or reader, not admin/,
    ],
    ["a user who is not there", "new --role reader --user gone", /^there is no user "gone"/],
    ["a name that is taken", "unused --role reader", /^there is a key "unused" already/],
  ])("%s is refused, and nothing is changed", (_what, args, message) => {
    const here = furnished();
    const before = here.fingerprint();
    expect(here.refusal(["key", "add", ...args.split(" ")])).toMatchObject({ message: expect.stringMatching(message) });
    expect(here.fingerprint()).toBe(before);
  });

  test("RV-12: who gets the role reviewer while it is switched off is told", () => {
    const here = home();
    expect(here.run(["key", "add", "eye", "--role", "reviewer"]).err).toContain("says review.reviewers: on");
    here.configure("review:\n  reviewers: on\n");
    expect(here.run(["key", "add", "eyes", "--role", "reviewer"]).err).toBe("");
  });
});

describe("T40: a password at a terminal", () => {
  const isInstalled = spawnSync("tmux", ["-V"]).status === 0;

  test.skipIf(!isInstalled)("T40: is asked for twice and never repeated, where there is a tmux", async () => {
    const here = home();
    const screen = openScreen(here.folder, "user add anna --role admin");
    try {
      await screen.until("Password of anna, 12 characters or more:");
      screen.type(`${password}x`, "BSpace", "Enter");
      await screen.until("Once more:");
      screen.type(password, "Enter");
      const shown = await screen.until("ended with 0");
      expect(shown).toMatch(/^user +anna$/m);
      expect(shown).not.toContain("horse");
    } finally {
      screen.close();
    }
    expect(here.json(["user", "list"]).users).toMatchObject([{ name: "anna", role: "admin" }]);
    expect(here.leaks(password)).toEqual([]);
  });

  test.skipIf(!isInstalled)("T40: Ctrl-C leaves all as it was, the terminal too", async () => {
    const here = home();
    here.json(["user", "list"]);
    const before = here.fingerprint();
    const screen = openScreen(here.folder, "user add anna --role admin");
    try {
      await screen.until("Password of anna");
      screen.type(password, "C-c");
      expect(await screen.until("ended with 2")).toContain("cancelled; nothing was changed");
      // What is typed is seen again.
      screen.type("echo is back", "Enter");
      await screen.until("echo is back\nis back");
    } finally {
      screen.close();
    }
    expect(here.fingerprint()).toBe(before);
  });
});

/** The built command line in a real terminal, in a tmux of its own. */
function openScreen(folder: string, line: string) {
  const tmux = (...args: string[]) =>
    spawnSync("tmux", ["-S", join(folder, "tmux"), "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout;
  const command = `"${process.execPath}" "${resolve("dist/cli.js")}" ${line}; echo "ended with $?"; PS1= exec sh`;
  const env = ["-e", `HOME=${folder}`, "-e", "USER=tester"];
  tmux("new-session", "-d", "-x", "100", "-y", "30", ...env, "sh", "-c", command);
  return {
    /** The text as it is, and then keys by their names. */
    type: (text: string, ...keys: string[]) => {
      tmux("send-keys", "-l", text);
      tmux("send-keys", ...keys);
    },
    until: (text: string) =>
      vi.waitUntil(
        () => {
          const shown = tmux("capture-pane", "-p");
          return shown.includes(text) ? shown : false;
        },
        { timeout: 30_000, interval: 50 },
      ),
    close: () => tmux("kill-server"),
  };
}
