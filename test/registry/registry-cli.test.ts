import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../../src/app/app.ts";
import { parseEnvironment } from "../../src/app/config/config.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { addKey } from "../../src/registry/accounts/api-keys.ts";
import { CliHome } from "../support/cli-home.ts";
import { allow } from "../support/permits.ts";

const homes: CliHome[] = [];

function newHome(): CliHome {
  const home = new CliHome();
  homes.push(home);
  return home;
}

afterAll(() => {
  for (const home of homes) home.remove();
});

/** The state and digests of one skill, as a program sees them. */
function standing(
  home: CliHome,
  skill: string,
): { state: string; reason: string; current: string; inUse: string | null } {
  return home.json(["review", skill]);
}

function approve(home: CliHome, skill: string) {
  return home.json(["review", skill, "--approve", "--digest", standing(home, skill).current]);
}

function states(home: CliHome): Record<string, string> {
  const { items }: { items: { entry: string; state: string }[] } = home.json(["skill", "list"]);
  return Object.fromEntries(items.map(({ entry, state }) => [entry, state]));
}

function waiting(home: CliHome): string[] {
  const { items }: { items: { entry: string }[] } = home.json(["review"]);
  return items.map(({ entry }) => entry);
}

async function keyFor(home: CliHome, role: string, name = role): Promise<string> {
  const app = await openApp(createWorld(), parseEnvironment({ HOME: home.folder, USER: "tester" }));
  try {
    return (await addKey(app.accounts, allow(app.person), { name, role })).text;
  } finally {
    await app.close();
  }
}

/** Words of a line that was printed to be copied; none of them has spaces here. */
function printedCommand(text: string, act: string): string[] {
  const line = text.split("\n").find((each) => each.includes("skillward review") && each.includes(act)) ?? "";
  return line.slice(line.indexOf("skillward review")).split(" ").slice(1);
}

describe("a skill from its folder to use and out of it again", () => {
  let home: CliHome;
  let folder = "";
  let first = "";
  beforeAll(() => {
    home = newHome();
    folder = home.skills("house", { greet: "Say hello.", part: "Say goodbye." });
  });

  test("IN-19: what is added waits, is not in use, and it says what to do next", () => {
    const { code, out, err } = home.run(["source", "add", folder]);
    expect({ code, out }).toEqual({ code: 0, out: `Added house (community): ${folder}\nhouse: 2 new\n` });
    expect(err).toBe("2 skills wait for review: skillward review\n");
    expect(states(home)).toEqual({ "house:greet": "new", "house:part": "new" });
    expect(home.json(["source", "show", "house"])).toMatchObject({ source: { id: "house" }, states: { new: 2 } });
  });

  test("RV-1: the queue lists it with its digest, its findings and why", () => {
    const { out } = home.run(["review"]);
    first = standing(home, "house:greet").current;
    expect(out).toMatch(
      new RegExp(`^house:greet +new +${first.slice(0, 12)} +none +nobody has decided on it yet$`, "m"),
    );
    expect(home.json(["review", "--source", "house", "--limit", "1"])).toMatchObject({ total: 2, more: 1 });
    expect(home.run(["review", "--limit", "1"]).out).toContain(
      "1 more: skillward review --limit 1 --after house:greet",
    );
  });

  test("RV-5: approving takes the digest that was shown; the command that review prints has it", () => {
    const refused = home.refusal(["review", "greet", "--approve"]);
    expect(refused).toMatchObject({ exit: 2, code: "usage.invalid" });
    expect(refused.message).toContain(first);
    const shown = home.run(["review", "house:greet"]);
    expect(shown).toMatchObject({ code: 0, err: "" });
    expect(shown.out).toContain("SKILL.md");
    const approved = home.run(printedCommand(shown.out, "--approve"));
    expect(approved.code).toBe(0);
    expect(approved.out).toContain(`Approved house:greet ${first.slice(0, 12)}`);
    expect(approved.out).toContain("It is enabled now");
    expect(home.run(["skill", "list", "--state", "enabled"]).out).toMatch(/^greet +house:greet +enabled/m);
  });

  test("IN-20: a changed file puts it out of use, and the change is shown file by file", () => {
    writeFileSync(join(folder, "greet/notes.txt"), "new");
    home.skills("house", { greet: "Say hello twice." });
    const { code, out } = home.run(["source", "sync"]);
    expect({ code, out }).toEqual({ code: 0, out: "house: 1 changed, 1 unchanged; 1 out of use until reviewed\n" });
    expect(standing(home, "greet")).toMatchObject({ state: "pending", inUse: null });
    const { files, from, to } = home.json(["skill", "diff", "greet"]);
    expect(from).toEqual({ digest: first, is: "last approved" });
    expect(to).toBe(standing(home, "greet").current);
    expect(files).toMatchObject([
      {
        path: "SKILL.md",
        change: "changed",
        before: { size: expect.any(Number) },
        after: { size: expect.any(Number) },
      },
      { path: "notes.txt", change: "added", before: null, after: { size: 3 } },
    ]);
    expect(home.run(["skill", "diff", "greet"]).out).toMatch(/^notes.txt +added, 3 B, \+1 -0 lines +[0-9a-f]{12}$/m);
  });

  test("RV-5: the digest that was shown before is stale: nothing is signed, and what changed is shown", () => {
    const before = home.fingerprint();
    const refused = home.refusal(["review", "greet", "--approve", "--digest", first]);
    expect(refused).toMatchObject({ exit: 1, code: "review.stale" });
    const { code, out, err } = home.run(["review", "greet", "--approve", "--digest", first.slice(0, 12)]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^notes.txt +added/m);
    expect(home.fingerprint()).toBe(before);
  });

  test("RV-3: a digest is typed by its first 12 digits or more, never fewer, and never one it did not have", () => {
    const { current } = standing(home, "greet");
    expect(home.refusal(["review", "greet", "--approve", "--digest", current.slice(0, 11)]).code).toBe("usage.invalid");
    expect(home.refusal(["review", "greet", "--approve", "--digest", "0".repeat(64)]).code).toBe("record.missing");
    const { decisions } = home.json(["review", "greet", "--approve", "--digest", current.slice(0, 12).toUpperCase()]);
    expect(decisions).toMatchObject([{ word: "approve", digest: current, by: "machine:tester" }]);
  });

  test("RV-1: with on_change hold the approved revision stays in use while the new one waits", () => {
    expect(home.json(["source", "set", "house", "--on-change", "hold"])).toMatchObject({
      source: { onChange: "hold" },
    });
    const { current: approved } = standing(home, "greet");
    home.skills("house", { greet: "Say hello thrice." });
    expect(home.json(["source", "sync", "house"])).toMatchObject({ results: [{ updated: 1, held: 1 }] });
    expect(standing(home, "greet")).toMatchObject({ state: "held", inUse: approved });
    expect(waiting(home)).toEqual(["house:greet", "house:part"]);
    expect(home.json(["skill", "diff", "greet"]).from).toEqual({ digest: approved, is: "in use" });
    expect(home.json(["skill", "show", "greet"])).toMatchObject({ inUse: approved, revision: { digest: approved } });
  });

  test("RV-1: rolling back puts an older revision in use, only when it is said; then nothing waits any more", () => {
    expect(home.refusal(["review", "greet", "--approve", "--digest", first]).code).toBe("review.stale");
    const said = home.json(["review", "greet", "--approve", "--digest", first, "--rollback", "--note", "as it was"]);
    expect(said.standing).toMatchObject({ state: "held", inUse: first });
    expect(waiting(home)).toEqual(["house:part"]);
    expect(home.run(["review"]).out).toContain("1 more is held or blocked");
    const { revisions } = home.json(["skill", "revisions", "greet"]);
    expect(revisions).toMatchObject([
      { current: true, inUse: false, decisions: [] },
      { current: false, inUse: false, decisions: [{ word: "approve" }] },
      {
        digest: first,
        current: false,
        inUse: true,
        decisions: [{ word: "approve" }, { word: "approve", note: "as it was" }],
      },
    ]);
    expect(home.run(["skill", "revisions", "greet"]).out).toMatch(/in use +approve by machine:tester/);
  });

  test("RV-1: rejecting and disabling mean what is current, and take it out of use", () => {
    expect(home.json(["review", "part", "--reject"]).standing).toMatchObject({ state: "disabled", inUse: null });
    approve(home, "part");
    expect(states(home)["house:part"]).toBe("enabled");
    expect(home.json(["review", "part", "--disable", "--note", "not now"]).standing.state).toBe("disabled");
    expect(home.run(["review", "part"]).out).toMatch(/machine:tester +disable +[0-9a-f]{12} +not now$/m);
    approve(home, "part");
  });

  test("IN-20: gone is orphaned, and what comes back waits for a new word", () => {
    renameSync(join(folder, "part"), join(home.folder, "part"));
    expect(home.run(["source", "sync"]).out).toBe("house: 1 unchanged, 1 gone\n");
    expect(states(home)["house:part"]).toBe("orphaned");
    renameSync(join(home.folder, "part"), join(folder, "part"));
    home.run(["source", "sync"]);
    expect(standing(home, "part")).toMatchObject({ state: "pending", inUse: null });
    expect(waiting(home)).toEqual(["house:part"]);
    approve(home, "part");
  });

  test("RV-9: a block takes out of use at once, in words that say why, until it is lifted", () => {
    const blocked = home.json(["block", "add", "entry", "house:part", "--reason", "leaks"]);
    expect(blocked).toMatchObject({ block: { word: "block", kind: "entry", note: "leaks" }, known: true, changed: 1 });
    expect(standing(home, "part")).toMatchObject({ state: "blocked", reason: expect.stringContaining("leaks") });
    expect(home.refusal(["block", "add", "entry", "house:part", "--reason", "again"]).code).toBe("record.exists");
    expect(home.run(["block", "list"]).out).toMatch(/^entry +house:part .* machine:tester +leaks$/m);
    const lifted = home.json(["block", "lift", "entry", "house:part", "--reason", "fixed"]);
    expect(lifted).toMatchObject({ block: { word: "unblock" }, changed: 1 });
    expect(states(home)["house:part"]).toBe("enabled");
    expect(home.run(["block", "list"]).out).toBe("Nothing is blocked.\n");
  });

  test("IN-21: removing the source takes its skills out of use and keeps their history", () => {
    expect(home.run(["source", "remove", "house"]).out).toBe(
      "Removed house: 2 skills out of use, their history stays\n",
    );
    expect(states(home)).toEqual({ "house:greet": "orphaned", "house:part": "orphaned" });
    expect(home.json(["skill", "revisions", "house:greet"]).revisions).toHaveLength(3);
    expect(home.json(["skill", "list", "--source", "house"]).total).toBe(2);
  });
});

describe("RV-9: what is blocked", () => {
  let home: CliHome;
  beforeAll(() => {
    home = newHome();
    home.json(["source", "add", home.skills("house", { greet: "Say hello." })]);
    approve(home, "greet");
  });

  test.each([
    ["entry", "house:gret"],
    ["source", "hous"],
    ["repository", "42"],
    ["digest", "a".repeat(64)],
  ])("an unknown %s may be blocked, and that it is unknown is said", (kind, value) => {
    const { code, err } = home.run(["block", "add", kind, value, "--reason", "before it comes"]);
    expect(code).toBe(0);
    expect(err).toContain("Nothing in the registry fits it now");
    expect(home.json(["block", "lift", kind, value, "--reason", "enough"])).toMatchObject({ known: false, changed: 0 });
  });

  test("a digest may be typed by its start, and takes out every entry that has it", () => {
    const { current } = standing(home, "greet");
    const { block, changed } = home.json(["block", "add", "digest", current.slice(0, 12), "--reason", "bad bytes"]);
    expect({ value: block.value, changed }).toEqual({ value: current, changed: 1 });
    expect(states(home)["house:greet"]).toBe("blocked");
    home.json(["block", "lift", "digest", current.slice(0, 12), "--reason", "good bytes"]);
    expect(states(home)["house:greet"]).toBe("enabled");
  });

  test.each([
    [["block", "add", "entry", "greet", "--reason", "x"], "usage.invalid", "give its id"],
    [["block", "add", "digest", "abc", "--reason", "x"], "usage.invalid", "64 hex digits"],
    [["block", "add", "repository", "owner/name", "--reason", "x"], "usage.invalid", "number"],
    [["block", "add", "source", "house", "--reason", " "], "usage.invalid", "takes a reason"],
    [["block", "add", "source", "house"], "usage.invalid", "--reason"],
    [["block", "lift", "source", "house", "--reason", "x"], "record.missing", "is not blocked"],
  ])("%j is refused and nothing changes", (args, code, message) => {
    const before = home.fingerprint();
    expect(home.refusal(args)).toMatchObject({ exit: 2, code, message: expect.stringContaining(message) });
    expect(home.fingerprint()).toBe(before);
  });

  test("lifting what is nearly blocked names what is", () => {
    home.json(["block", "add", "source", "house", "--reason", "x"]);
    expect(home.refusal(["block", "lift", "source", "hause", "--reason", "x"]).message).toContain(
      "did you mean house?",
    );
  });
});

describe("RV-6: what blocks", () => {
  let home: CliHome;
  let digest = "";
  beforeAll(() => {
    home = newHome();
    const folder = home.skills("house", { greet: "Say hello." });
    symlinkSync("/etc/passwd", join(folder, "greet/link"));
    home.run(["source", "add", folder]);
    ({ current: digest } = standing(home, "greet"));
  });

  test("waits with its finding until it is turned down, and again when it comes back from being away", () => {
    const other = home.copy();
    homes.push(other);
    rmSync(join(other.folder, "house"), { recursive: true });
    const folder = other.skills("elsewhere", { greet: "Say hello." });
    symlinkSync("/etc/passwd", join(folder, "greet/link"));
    const added = other.run(["source", "add", folder]);
    expect(added.out).toContain("elsewhere: 1 new; 1 blocked");
    expect(other.run(["review"]).out).toMatch(/^elsewhere:greet +blocked +[0-9a-f]{12} +1 high +.*path.link$/m);
    other.json(["review", "elsewhere:greet", "--reject"]);
    expect(waiting(other)).toEqual(["house:greet"]);
    renameSync(join(folder, "greet"), join(other.folder, "greet"));
    other.run(["source", "sync", "elsewhere"]);
    renameSync(join(other.folder, "greet"), join(folder, "greet"));
    other.run(["source", "sync", "elsewhere"]);
    expect(waiting(other)).toEqual(["elsewhere:greet", "house:greet"]);
  });

  test("is not approved without a reason for each finding", () => {
    const before = home.fingerprint();
    const approval = ["review", "greet", "--approve", "--digest", digest];
    expect(home.refusal(approval)).toMatchObject({ exit: 1, code: "review.refused" });
    expect(home.refusal([...approval, "--override", "path.link"])).toMatchObject({ exit: 2, code: "usage.invalid" });
    const other = [...approval, "--override", "yaml.invalid", "--reason", "why not"];
    expect(home.refusal(other).message).toContain("what blocks is path.link");
    expect(home.fingerprint()).toBe(before);
  });

  test("takes an override of exactly the digest that was shown", () => {
    expect(home.refusal(["review", "greet", "--override", "path.link", "--reason", "ours"]).code).toBe("usage.invalid");
  });

  test("both words are said at once, the override first", () => {
    const args = ["--override", "path.link", "--reason", "our own link", "--note", "seen"];
    const { decisions, standing: now } = home.json(["review", "greet", "--approve", "--digest", digest, ...args]);
    expect(decisions).toMatchObject([
      { word: "override", overrides: ["path.link"], note: "our own link", digest },
      { word: "approve", note: "seen", digest },
    ]);
    expect(now.state).toBe("enabled");
  });
});

describe("grants", () => {
  test("RV-3: are pre-approved with the approval, or left out of it", () => {
    const home = newHome();
    const folder = join(home.folder, "house");
    mkdirSync(join(folder, "greet"), { recursive: true });
    const header = "name: greet\ndescription: Says how to greet.\nallowed-tools: Read Bash(ls *)";
    writeFileSync(join(folder, "greet/SKILL.md"), `---\n${header}\n---\nSay hello.\n`);
    home.json(["source", "add", folder]);
    const { current } = standing(home, "greet");
    const without = ["review", "greet", "--approve", "--digest", current, "--no-grants"];
    expect(home.json(without).decisions).toMatchObject([{ grants: [] }]);
    expect(home.json(["skill", "show", "greet"])).toMatchObject({
      granted: [],
      revision: { grants: ["Read", "Bash(ls *)"] },
    });
    const { out } = home.run(["review", "greet", "--approve", "--digest", current]);
    expect(out).toContain("with pre-approval of Read, Bash(ls *)");
    expect(home.json(["skill", "show", "greet"]).granted).toEqual(["Read", "Bash(ls *)"]);
  });
});

describe("RV-5: approving what is clean", () => {
  test("signs each one, and says what it left out and why", () => {
    const home = newHome();
    const many = Object.fromEntries(Array.from({ length: 620 }, (_, index) => [`skill-${index}`, `Do ${index}.`]));
    const folder = home.skills("house", { ...many, linked: "Look." });
    symlinkSync("/etc/passwd", join(folder, "linked/link"));
    writeFileSync(join(folder, "skill-7/SKILL.md"), "no header\n");
    home.run(["source", "add", folder]);
    const { code, out, err } = home.run(["review", "--approve-clean", "--source", "house", "--note", "bulk"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Approved 619 skills\n\n2 skills left for a closer look\n/);
    expect(out).toMatch(/^house:linked +blocked: a finding blocks it: path.link$/m);
    expect(out).toMatch(/^house:skill-7 +blocked: /m);
    expect(err).toContain("approving: 500 of 619");
    const { total, items } = home.json(["skill", "list", "--state", "enabled", "--limit", "1000"]);
    expect({ total, listed: items.length }).toEqual({ total: 619, listed: 619 });
    const { decisions } = home.json(["skill", "show", "house:skill-619"]);
    expect(decisions).toMatchObject([{ word: "approve", note: "bulk", entry: "house:skill-619" }]);
    const all = home.run(["skill", "list"]).out.trimEnd().split("\n");
    expect(all.at(-1)).toMatch(/^521 more: skillward skill list --after house:skill-\d+$/);
    expect(home.json(["review", "--approve-clean"]).approved).toEqual([]);
  });

  test("a medium finding is not clean, and what one person may not do is left out without harm to the others", async () => {
    const home = newHome();
    home.configure("review:\n  decisions:\n    community: 2\n");
    const folder = home.skills("house", { one: "Do one.", two: "Do two.", three: "Do three." });
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/SKILL.md"), "---\nname: Not a Name\ndescription: Says nothing.\n---\nDo.\n");
    home.run(["source", "add", folder]);
    expect(approve(home, "house:one").standing).toMatchObject({
      state: "pending",
      reason: "a second person must approve it",
    });
    const { approved, leftOut } = home.json(["review", "--approve-clean"]);
    expect(approved).toEqual(["house:three", "house:two"]);
    expect(leftOut).toEqual([
      { entry: "house:one", why: expect.stringContaining("a second person must") },
      { entry: "house:other", why: expect.stringMatching(/^medium /) },
    ]);
    const second = await keyFor(home, "admin");
    expect(home.json(["review", "--approve-clean"], { as: second }).approved).toEqual([
      "house:one",
      "house:three",
      "house:two",
    ]);
    expect(states(home)).toMatchObject({ "house:one": "enabled", "house:two": "enabled", "house:three": "enabled" });
  });

  test("RV-5: says whose approval there is, and offers nothing that would be refused", async () => {
    const home = newHome();
    home.configure("review:\n  decisions:\n    community: 2\n");
    home.run(["source", "add", home.skills("house", { one: "Do one." })]);
    const shown = (options: Parameters<typeof home.run>[1] = {}) => home.run(["review", "one"], options).out;
    expect(shown()).toMatch(/^approvals +0 of 2$/m);
    const { by } = approve(home, "house:one").decisions[0];
    expect(shown()).toMatch(new RegExp(`^approvals +1 of 2: ${by}$`, "m"));
    expect(shown()).toContain(`not by you  ${by} has approved it already; a second person must`);
    expect(shown()).not.toContain("--approve");
    expect(shown()).toContain("--reject");
    expect(shown({ as: await keyFor(home, "admin") })).toContain("--approve");
    const reader = shown({ as: await keyFor(home, "reader") });
    expect(reader).toContain("this takes the role reviewer or admin");
    expect(reader).not.toMatch(/--approve|--reject/);
  });

  test("a rollback that a second person must approve too still waits", async () => {
    const home = newHome();
    home.configure("review:\n  decisions:\n    community: 2\n");
    const first = () => approve(home, "greet");
    home.run(["source", "add", home.skills("house", { greet: "Say hello." })]);
    const as = await keyFor(home, "admin");
    const { current } = standing(home, "greet");
    first();
    home.json(["review", "--approve-clean"], { as });
    home.skills("house", { greet: "Say hello twice." });
    home.run(["source", "sync"]);
    first();
    home.json(["review", "--approve-clean"], { as });
    home.skills("house", { greet: "Say hello thrice." });
    home.run(["source", "sync"]);
    const rollback = ["review", "greet", "--approve", "--digest", current, "--rollback"];
    expect(home.json(rollback).standing.state).toBe("pending");
    expect(waiting(home)).toEqual(["house:greet"]);
    expect(home.json(rollback, { as }).standing).toMatchObject({ state: "held", inUse: current });
    expect(waiting(home)).toEqual([]);
  });

  test("whoever added a source approves nothing of it where that is set", () => {
    const home = newHome();
    home.configure("review:\n  separate-adder: on\n");
    home.run(["source", "add", home.skills("house", { one: "Do one.", two: "Do two." })]);
    const { approved, leftOut } = home.json(["review", "--approve-clean"]);
    expect(approved).toEqual([]);
    expect(leftOut).toHaveLength(2);
    expect(leftOut[0].why).toContain("added its source");
  });
});

describe("bad input: what happened, what to do, nothing changed", () => {
  let home: CliHome;
  beforeAll(() => {
    home = newHome();
    home.run(["source", "add", home.skills("house", { greet: "Say hello.", part: "Say goodbye." })]);
    approve(home, "greet");
  });

  test.each([
    [["source", "show", "hose"], "record.missing", "did you mean house?"],
    [["source", "set", "hose", "--trust", "verified"], "record.missing", "did you mean house?"],
    [["source", "sync", "hose"], "record.missing", "did you mean house?"],
    [["source", "sync", "house", "elsewhere"], "record.missing", 'there is no source "elsewhere"; there is: house'],
    [["source", "remove", "hose"], "record.missing", "did you mean house?"],
    [["source", "add", "nowhere"], "path.missing", "nowhere"],
    [["source", "add", "./house/greet/SKILL.md"], "path.wrong-kind", "name the folder"],
    [["source", "add", "house"], "record.exists", "is the source house already"],
    [["source", "add", "./house/greet", "--id", "house"], "record.exists", "give another id"],
    [["source", "add", "./house/greet", "--id", "No Id"], "usage.invalid", "lowercase"],
    [["source", "set", "house"], "usage.invalid", "say what to change"],
    [["source", "set", "house", "--enable", "--disable"], "usage.invalid", "not both"],
    [["source", "set", "house", "--fingerprint", "abc"], "usage.invalid", "64 hex digits"],
    [["source", "set", "house", "--max-files", "none"], "usage.invalid", "--max-files"],
    [["source", "set", "house", "--max-seconds", "999999999"], "usage.invalid", "86400 seconds"],
    [["review", "house:gret"], "record.missing", "did you mean house:greet?"],
    [["review", "gret", "--reject"], "record.missing", "did you mean house:greet?"],
    [["skill", "show", "grett"], "record.missing", "did you mean house:greet?"],
    [["skill", "diff", "something-else"], "record.missing", "skillward skill list"],
    [["skill", "list", "--source", "hous"], "record.missing", "did you mean house?"],
    [["review", "--source", "hous"], "record.missing", "did you mean house?"],
    [["review", "--approve"], "usage.invalid", "name the skill"],
    [["review", "greet", "--approve", "--reject"], "usage.invalid", "one act at a time"],
    [["review", "greet", "--reject", "--override", "path.link"], "usage.invalid", "--override goes with"],
    [["review", "greet", "--approve-clean"], "usage.invalid", "takes no skill"],
    [["review", "greet", "--digest", "0".repeat(64)], "usage.invalid", "--digest goes with --approve"],
    [["review", "greet", "--limit", "1"], "usage.invalid", "without a skill"],
    [["review", "--no-grants"], "usage.invalid", "--no-grants goes with"],
    [["review", "--limit", "0"], "usage.invalid", "--limit"],
  ])("%j", (args, code, message) => {
    const before = home.fingerprint();
    expect(home.refusal(args)).toMatchObject({ exit: 2, code, message: expect.stringContaining(message) });
    expect(home.fingerprint()).toBe(before);
  });

  test("to a person it is one line on standard error", () => {
    const { code, out, err } = home.run(["review", "gret"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error there is no skill "gret"; did you mean house:greet\? [^\n]*\n$/);
  });

  test("IN-21: a folder that vanished is an error; nothing is orphaned, and other sources go on", () => {
    const gone = newHome();
    gone.run(["source", "add", gone.skills("house", { greet: "Say hello." })]);
    gone.run(["source", "add", gone.skills("other", { part: "Say goodbye." })]);
    approve(gone, "greet");
    rmSync(join(gone.folder, "house"), { recursive: true });
    const { code, out } = gone.run(["source", "sync"]);
    expect(code).toBe(3);
    expect(out).toMatch(/^house: not synced: .*house/m);
    expect(out).toContain("other: 1 unchanged");
    expect(states(gone)).toEqual({ "house:greet": "enabled", "other:part": "new" });
    expect(gone.json(["source", "show", "house"]).source).toMatchObject({ status: "error" });
    expect(gone.run(["source", "show", "house"]).out).toMatch(/^error +\S/m);
    gone.skills("house", { greet: "Say hello." });
    expect(gone.run(["source", "sync", "house"]).code).toBe(0);
    expect(gone.json(["source", "show", "house"]).source).toMatchObject({ status: "ok", error: null });
  });

  test("IN-22: another fingerprint than the publisher's changes nothing and is said", () => {
    const other = newHome();
    const added = other.run([
      "source",
      "add",
      other.skills("house", { greet: "Hi." }),
      "--fingerprint",
      "0".repeat(64),
    ]);
    expect(added.code).toBe(1);
    expect(added.out).toContain("the fingerprint of house is");
    expect(states(other)).toEqual({});
    expect(other.run(["source", "set", "house", "--fingerprint", "none"]).code).toBe(0);
    expect(other.run(["source", "sync"]).out).toBe("house: 1 new\n");
  });

  test("IN-16: a sync that hits a bound is partial, exit 1, and says how to read more", () => {
    const other = newHome();
    const folder = other.skills("house", { one: "Do one.", two: "Do two.", three: "Do three." });
    const { code, out, err } = other.run(["source", "add", folder, "--max-files", "2"]);
    expect(code).toBe(1);
    expect(out).toContain("(partial: not all of it could be read)");
    expect(out).toContain("walk.bounds");
    expect(err).toContain("skillward source set house --max-files <count>");
    other.run(["source", "set", "house", "--max-files", "10"]);
    expect(other.run(["source", "sync"]).code).toBe(0);
  });

  test("SK-15: two folders with the same skill: identical bytes are a duplicate, others a collision", () => {
    const twins = newHome();
    twins.run(["source", "add", twins.skills("house", { greet: "Say hello.", part: "Say goodbye." })]);
    const second = twins.skills("guest", { greet: "Say hello.", part: "Leave without a word." });
    const { results } = twins.json(["source", "add", second]);
    expect(results[0].findings).toMatchObject([
      { code: "set.duplicate", at: { file: "guest:greet" } },
      { code: "set.collision", at: { file: "guest:part" } },
    ]);
    const refused = twins.refusal(["skill", "show", "part"]);
    expect(refused).toMatchObject({ exit: 2, code: "usage.invalid" });
    expect(refused.message).toContain("guest:part, house:part");
    expect(twins.json(["skill", "show", "guest:part"]).entry).toBe("guest:part");
  });

  test("a source that is switched off is left out, and refused when it is named", () => {
    const other = newHome();
    other.run(["source", "add", other.skills("house", { greet: "Say hello." }), "--no-sync"]);
    expect(other.json(["source", "set", "house", "--disable"]).source.enabled).toBe(false);
    expect(other.run(["source", "sync"])).toMatchObject({ code: 0, out: expect.stringContaining("No source to sync") });
    expect(other.refusal(["source", "sync", "house"])).toMatchObject({ exit: 2, code: "usage.invalid" });
    expect(states(other)).toEqual({});
  });

  describe("RV-12: an operator", () => {
    let operator = "";
    beforeAll(async () => {
      operator = await keyFor(home, "operator");
    });

    test.each([
      [["source", "add", "house"]],
      [["source", "set", "house", "--trust", "first_party"]],
      [["source", "sync"]],
      [["source", "remove", "house"]],
      [["review", "part", "--approve", "--digest", "0".repeat(64)]],
      [["review", "greet", "--reject"]],
      [["review", "greet", "--disable"]],
      [["review", "--approve-clean"]],
      [["block", "add", "entry", "house:greet", "--reason", "x"]],
      [["block", "lift", "entry", "house:greet", "--reason", "x"]],
    ])("may not: %j", (args) => {
      const before = home.fingerprint();
      expect(home.refusal(args, { as: operator })).toMatchObject({
        exit: 2,
        code: "auth.forbidden",
        message: expect.stringContaining("key:operator is operator: this takes the role "),
      });
      expect(home.fingerprint()).toBe(before);
    });

    test.each([
      [["source", "list"]],
      [["review"]],
      [["review", "greet"]],
      [["skill", "show", "greet"]],
      [["block", "list"]],
    ])("may look: %j", (args) => expect(home.run(args, { as: operator }).code).toBe(0));
  });
});

describe("IN-23: what is printed", () => {
  let home: CliHome;
  beforeAll(() => {
    home = newHome();
    home.run(["source", "add", home.skills("house", { greet: "Say hello." })]);
    approve(home, "greet");
    home.run(["block", "add", "source", "elsewhere", "--reason", "x"]);
  });

  test.each([
    [["source", "list"]],
    [["source", "show", "house"]],
    [["source", "set", "house", "--title", "The house"]],
    [["source", "sync"]],
    [["review"]],
    [["review", "greet"]],
    [["review", "--approve-clean"]],
    [["skill", "list"]],
    [["skill", "show", "greet"]],
    [["skill", "diff", "greet"]],
    [["skill", "revisions", "greet"]],
    [["block", "list"]],
  ])("%j: with --json JSON and nothing else", (args) => {
    const asJson = home.run([...args, "--json"]);
    expect({ code: asJson.code, err: asJson.err }).toEqual({ code: 0, err: "" });
    expect(typeof JSON.parse(asJson.out)).toBe("object");
  });

  test("SK-13: a hostile folder name moves nothing in a terminal and is one word in a printed command", () => {
    const hostile = newHome();
    const folder = hostile.skills("house", { greet: "Say hello." });
    renameSync(join(folder, "greet"), join(folder, "\u001b[31mred\u202e $(touch owned)"));
    const id = "house:\u001b[31mred\u202e $(touch owned)";
    hostile.run(["source", "add", folder]);
    hostile.run(["review"]);
    const { out } = hostile.run(["review", id]);
    const shown = /^digest +([0-9a-f]{64})$/m.exec(out)?.[1] ?? "";
    expect(out).toContain(String.raw`skillward review $'house:\U0000001b[31mred\U0000202e $(touch owned)' --approve`);
    hostile.run(["review", id, "--approve"]);
    hostile.run(["review", id, "--approve", "--digest", "0".repeat(12)]);
    hostile.run(["skill", "list"]);
    hostile.run(["skill", "show", `${id}x`]);
    hostile.run(["skill", "diff", id]);
    writeFileSync(join(folder, "\u001b[31mred\u202e $(touch owned)/more.txt"), "more");
    hostile.run(["source", "sync"]);
    expect(hostile.run(["review", id, "--approve", "--digest", shown]).err).toContain("any more");
    hostile.run(["skill", "revisions", id]);
    for (const unseen of ["\u001b", "\u202e"]) expect(hostile.printed).not.toContain(unseen);
  });

  test("a long id does not push a table apart, and is there as a whole", () => {
    const long = newHome();
    const name = "n".repeat(60);
    long.run(["source", "add", long.skills("house", { greet: "Say hello.", [`${name}/${name}`]: "Dig." })]);
    const [heading = "", ...lines] = long.run(["review"]).out.split("\n");
    expect(lines).toContain(`house:${name}/${name}`);
    const column = heading.indexOf("state");
    for (const line of lines.filter((each) => each.includes(" new "))) expect(line.slice(column)).toMatch(/^new /);
  });
});

describe("invariant 1: what was changed by hand in the database", () => {
  const changed = () => {
    const home = newHome();
    home.run(["source", "add", home.skills("house", { greet: "Say hello." })]);
    approve(home, "greet");
    home.skills("house", { greet: "Say hello twice." });
    home.run(["source", "sync"]);
    return home;
  };

  function write(home: CliHome, sql: string): void {
    const database = home.database;
    database.exec(sql);
    database.close();
  }

  test("bytes: named by every command that shows them, exit 1; reading the source again heals them", () => {
    const home = changed();
    const looks = [
      ["skill", "show", "greet"],
      ["review", "greet"],
      ["skill", "diff", "greet"],
    ];
    for (const look of looks) expect(home.run(look).code).toBe(0);
    write(home, "UPDATE blobs SET bytes = x'2d2d2d'");
    for (const look of looks) {
      const { code, out } = home.run(look);
      expect(code).toBe(1);
      expect(out).toContain("revision.tampered");
      expect(out).not.toContain("--approve --digest");
    }
    home.run(["source", "sync", "--repair"]);
    expect(home.run(["skill", "show", "greet"]).code).toBe(0);
  });

  test("a word that nobody signed: named wherever states are shown, exit 1", () => {
    const home = changed();
    write(
      home,
      "INSERT INTO ledger (seq, subject, payload, key_id, signature) VALUES (9, 'house:greet', '{}', 'k', 's')",
    );
    for (const look of [["skill", "list"], ["review"], ["skill", "show", "greet"], ["review", "greet"]]) {
      const { code, out } = home.run(look);
      expect(code).toBe(1);
      expect(out).toContain("ledger.forged");
    }
  });
});
