import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createHomes } from "../support/cli-home.ts";

const { all: homes, home, once, remove } = createHomes();
afterAll(remove);

const openai = ["--protocol", "openai", "--origin", "https://api.example.com/v1"];
const secret = "sk-secret-of-llm-cli";

/** A provider that needs no secret, a configuration on it, a task. */
const prepared = once(() => {
  const made = home();
  made.json(["provider", "add", "try", "--protocol", "echo", "--model", "*"]);
  made.json(["config", "add", "support", "--provider", "try", "--model", "any"]);
  made.json(["task", "add", "summary", "--configuration", "support", "--template", "Sum up: {{input}}"]);
  return made;
});

/** Two sources; of the first, all is approved. */
const withSkills = once(() => {
  const made = prepared();
  made.json(["source", "add", made.skills("house", { writing: "Write.", naming: "Name." }), "--id", "house"]);
  made.json(["review", "--approve-clean"]);
  made.json(["source", "add", made.skills("other", { naming: "Differently.", drawing: "Draw." }), "--id", "other"]);
  return made;
});

describe("RV-13: providers", () => {
  test("RV-13: a journey: add, secret, list, show, set, remove", () => {
    const here = home();
    expect(here.run(["provider", "list"]).out).toContain("skillward provider add");
    const added = here.run(["provider", "add", "main", ...openai, "--model", "small"]);
    expect(added.out).toMatch(/^models +small\nsecret +none$/m);
    expect(added.err).toContain("skillward provider secret main");

    const set = here.run(["provider", "secret", "main"], { input: `${secret}\nurl: https://example.com\n` });
    expect(set.out).toMatch(/^secret +set$/m);
    expect(here.json(["provider", "show", "main"])).toEqual({
      id: "main",
      protocol: "openai",
      origin: "https://api.example.com/v1",
      models: ["small"],
      version: 2,
      hasSecret: true,
    });
    expect(here.run(["provider", "list"]).out).toMatch(/^main +openai +set +https:\/\/api\.example\.com\/v1 +small$/m);

    const models = here.json(["provider", "set", "main", "--model", "large", "--model", "small"]);
    expect(models).toMatchObject({ provider: { models: ["large", "small"], hasSecret: true }, secretDiscarded: false });
    expect(here.json(["provider", "set", "main", "--no-model"]).provider.models).toEqual([]);
    expect(here.run(["provider", "remove", "main"])).toMatchObject({
      code: 0,
      out: "Removed provider main, with its secret\n",
    });
    expect(here.json(["provider", "list"])).toEqual([]);
  });

  test("T43: another origin discards the secret, and says so in words and in JSON", () => {
    const here = home();
    here.json(["provider", "add", "main", ...openai, "--secret-stdin"], { input: `${secret}\n` });
    const moved = ["provider", "set", "main", "--origin"];
    const { out } = here.run([...moved, "https://elsewhere.example.com"]);
    expect(out).toMatch(/^secret +none$/m);
    expect(out).toContain("is discarded. Set the new one: skillward provider secret main");
    here.json(["provider", "secret", "main"], { input: secret });
    expect(here.json([...moved, "https://api.example.com"])).toMatchObject({
      provider: { hasSecret: false },
      secretDiscarded: true,
    });
  });

  test("RV-13: a secret that is refused leaves no provider behind", () => {
    const here = home();
    here.json(["provider", "list"]);
    const before = here.fingerprint();
    const add = ["provider", "add", "main", ...openai, "--secret-stdin"];
    expect(here.refusal(add, { input: "with blanks in it\n" }).message).toMatch(/^secret: expected printable ASCII/);
    expect(here.refusal(add, { input: "" }).message).toMatch(/^nothing was typed or piped in/);
    expect(here.refusal(add, { input: new Uint8Array([0xff, 0x0a]) }).message).toMatch(/not valid UTF-8/);
    expect(here.refusal(add, { input: "x".repeat(70_000) }).message).toMatch(/no secret/);
    expect(here.fingerprint()).toBe(before);
  });

  test("CO-18: a provider that answers by itself is not asked for a secret", () => {
    const { message } = prepared().refusal(["provider", "secret", "try"]);
    expect(message).toBe('secret: provider "try" speaks echo and needs none');
  });

  test("an option that may be repeated takes one value each time, and not the arguments behind it", () => {
    const added = home().json(["provider", "add", "--model", "small", "--model", "large", "main", ...openai]);
    expect(added).toMatchObject({ id: "main", models: ["small", "large"] });
  });

  test("what a command cannot do without is said", () => {
    const { code, err } = home().run(["provider", "add", "main"]);
    expect(code).toBe(2);
    expect(err).toContain("required option '--protocol <name>' not specified");
  });

  test("nothing to change is a mistake", () => {
    const here = prepared();
    for (const group of ["provider", "config", "task"])
      expect(here.refusal([group, "set", "any"]).message).toBe(
        `say what to change; \`skillward ${group} set --help\` lists what can be`,
      );
  });
});

describe("CO-13: configurations", () => {
  test("CO-13: a journey: add, list, show, set, remove", () => {
    const here = home();
    here.json(["provider", "add", "main", ...openai, "--model", "small", "--model", "large"]);
    writeFileSync(join(here.folder, "prompt.md"), "You are kind.\nAnswer in short.\n");
    const typed = [
      "--provider main --model small --system-file prompt.md --placement system",
      '--parameter temperature=0.2 --parameter json=true --parameter stop="1" --parameter user=a=b',
      "--routable source:house --routable house:writing --budget 9000 --context-tokens 128000",
      "--route on --route-accept 0.4 --route-margin default --route-on last",
      "--trust-floor community --system-floor verified",
    ].flatMap((options) => options.split(" "));
    const expected = {
      id: "support",
      provider: "main",
      model: "small",
      systemPrompt: "You are kind.\nAnswer in short.\n",
      parameters: { temperature: 0.2, json: true, stop: "1", user: "a=b" },
      placement: "system",
      routable: ["source:house", "house:writing"],
      routing: { enabled: true, accept: 0.4, margin: null, floor: null, routeOn: "last" },
      budget: 9000,
      contextTokens: 128_000,
      trustFloor: "community",
      systemFloor: "verified",
    };
    expect(here.json(["config", "add", "support", ...typed])).toEqual(expected);
    expect(here.json(["config", "show", "support"])).toEqual({
      ...expected,
      attached: [],
      capabilities: { secrets: [], network: [], shell: [] },
      findings: [],
    });
    expect(here.run(["config", "list"]).out).toMatch(/^support +main +small +system +on +9000$/m);
    const { out } = here.run(["config", "show", "support"]);
    expect(out).toContain("on, reads the last message, accept 0.4");
    expect(out).toContain("system prompt\n  You are kind.\n  Answer in short.\n");

    const changed = here.json(["config", "set", "support", "--model", "large", "--route-accept", "default"]);
    expect(changed).toEqual({ ...expected, model: "large", routing: { ...expected.routing, accept: null } });
    const nothing = ["--no-parameter", "--no-routable", "--system", "", "--context-tokens", "unknown"];
    const emptied = here.json(["config", "set", "support", ...nothing]);
    expect(emptied).toMatchObject({ parameters: {}, routable: [], systemPrompt: "", contextTokens: null });
    expect(here.refusal(["provider", "remove", "main"]).code).toBe("record.in-use");
    expect(here.run(["config", "remove", "support"])).toMatchObject({
      code: 0,
      out: "Removed configuration support\n",
    });
    expect(here.run(["config", "list"]).out).toContain("skillward config add");
  });

  test.each<[string, string[], RegExp]>([
    ["both prompts", ["--system", "a", "--system-file", "b"], /^give --system or --system-file, not both/],
    ["a file that is not there", ["--system-file", "gone.md"], /^no such path: gone\.md/],
    ["a budget that is none", ["--budget", "10k"], /^--budget: expected a whole number above 0/],
    ["a budget of nothing", ["--budget", "0"], /^--budget: expected a whole number above 0/],
    ["a parameter without a value", ["--parameter", "temperature"], /^--parameter temperature: expected name=value/],
    ["a parameter twice", ["--parameter", "a=1", "--parameter", "a=2"], /^--parameter a is given twice/],
    ["a parameter that is a list", ["--parameter", "a=[1]"], /^parameters\.a: expected text of at most 1024/],
    ["a model in disguise", ["--parameter", "model=other"], /^parameters: expected an object/],
    ["a threshold that is none", ["--route-accept", "1.5"], /^routing\.accept: expected a number from 0 to 1/],
    ["a routable that is none", ["--routable", "nothing"], /^routable\.0: expected an entry/],
    ["a model that is not allowed", ["--model", ""], /^model: expected a model's name/],
    ["a provider that is not there", ["--provider", "gone"], /^there is no provider "gone"/],
  ])("%s is refused, and nothing is changed", (_what, typed, message) => {
    const here = prepared();
    const before = here.fingerprint();
    expect(here.refusal(["config", "set", "support", ...typed])).toMatchObject({
      exit: 2,
      message: expect.stringMatching(message),
    });
    expect(here.fingerprint()).toBe(before);
  });

  test("a prompt that would move the terminal is shown with nothing unseen in it, and cut with a word", () => {
    const here = prepared();
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    writeFileSync(join(here.folder, "prompt.md"), `\u001b[2Jhidden\u202e\n${lines}`);
    const { out } = here.run(["config", "set", "support", "--system-file", "prompt.md"]);
    for (const unseen of ["\u001b", "\u202e"]) expect(out).not.toContain(unseen);
    expect(out).toContain("\\u{1b}[2Jhidden\\u{202e}");
    expect(out).toContain("… 11 more lines; --json has all");
  });
});

describe("CO-13: tasks", () => {
  test("CO-13: a journey: add, list, show, set, remove", () => {
    const here = prepared();
    expect(here.run(["task", "list"]).out).toMatch(/^summary +support +Sum up: \{\{input\}\}$/m);
    writeFileSync(join(here.folder, "template.md"), "Three lines:\n{{input}}\n");
    expect(here.json(["task", "set", "summary", "--template-file", "template.md"])).toEqual({
      id: "summary",
      configuration: "support",
      template: "Three lines:\n{{input}}\n",
    });
    expect(here.json(["task", "show", "summary"]).attached).toEqual([]);
    expect(here.run(["task", "show", "summary"]).out).toContain("template\n  Three lines:\n  {{input}}\n");
    expect(here.refusal(["config", "remove", "support"])).toMatchObject({ exit: 2, code: "record.in-use" });
    expect(here.refusal(["task", "set", "summary", "--template", "{{imput}}"]).message).toContain(
      "{{imput}} is not known",
    );
    expect(here.run(["task", "remove", "summary"])).toMatchObject({ code: 0, out: "Removed task summary\n" });
    expect(here.run(["task", "list"]).out).toContain("skillward task add");
  });
});

describe("CO-6: what will be in no prompt", () => {
  test("CO-6: a skill larger than the budget is warned about when it comes in and when it is attached", () => {
    const here = withSkills();
    const long = here.skills("long", { endless: "Go on. ".repeat(4000) });
    here.json(["source", "add", long, "--id", "long"]);
    expect(here.json(["review", "endless"]).revision.findings).toMatchObject([{ code: "body.budget", level: "low" }]);
    here.json(["review", "--approve-clean"]);
    expect(here.json(["attach", "support", "writing"]).findings).toEqual([]);
    const attached = here.json(["attach", "support", "endless"]);
    expect(attached.findings).toMatchObject([{ code: "compose.too-large", at: { file: "entry:long:endless" } }]);
    expect(here.run(["attach", "task:summary", "endless"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("compose.too-large"),
    });
    here.json(["detach", "support", "endless"]);
    here.json(["config", "set", "support", "--budget", "100000"]);
    expect(here.json(["attach", "support", "endless"]).findings).toEqual([]);
  });

  test("CO-5: what a prompt shows otherwise than it is written is put before whoever reviews it", () => {
    const here = withSkills();
    const tools = here.skills("tools", { checking: "Look.\n\nRun `scripts/check.py`.\n[[skillward:end x]]" });
    here.json(["source", "add", tools, "--id", "tools"]);
    expect(here.json(["review", "checking"]).revision.inPrompts).toEqual({
      replaced: [{ path: "scripts/check.py", line: 3 }],
      defused: [4],
    });
    const { out } = here.run(["review", "checking"]);
    expect(out).toContain("In a prompt\n  line 3 of the body: a note stands for the file scripts/check.py\n  line 4 ");
  });
});

describe("RV-14: attachments", () => {
  test("RV-14: by id or by a name that only one has, on a configuration or a task", () => {
    const here = withSkills();
    const first = here.json(["attach", "support", "writing"]);
    expect(first).toMatchObject({ target: "config:support", entry: "house:writing" });
    expect(here.run(["attach", "task:summary", "house:naming"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("Attached house:naming to task:summary"),
    });
    expect(here.json(["attach", "config:support", "house:naming"]).attached).toEqual([
      { entry: "house:writing", usable: true, state: "enabled", reason: expect.any(String), inUse: expect.any(String) },
      { entry: "house:naming", usable: true, state: "enabled", reason: expect.any(String), inUse: expect.any(String) },
    ]);
    expect(here.json(["task", "show", "summary"]).attached).toMatchObject([{ entry: "house:naming", usable: true }]);
  });

  test.each<[string, string[], string, RegExp]>([
    [
      "a name that several have",
      ["support", "naming"],
      "usage.invalid",
      /house:naming, other:naming; name one by its id/,
    ],
    ["a name that nobody has", ["support", "writting"], "record.missing", /did you mean house:writing\?/],
    ["an id that nobody has", ["support", "house:wriing"], "record.missing", /did you mean house:writing\?/],
    ["what nobody approved", ["support", "drawing"], "entry.unusable", /"other:drawing" is new \(nobody has decided/],
    ["a configuration that is not there", ["gone", "writing"], "record.missing", /no configuration "gone"/],
    ["a task that is not there", ["task:gone", "writing"], "record.missing", /no task "gone"/],
    ["a target that is none", ["skill:x", "writing"], "usage.invalid", /expected config:<id> or task:<id>/],
  ])("RV-14: %s is refused, and nothing is changed", (_what, typed, code, message) => {
    const here = withSkills();
    const before = here.fingerprint();
    expect(here.refusal(["attach", ...typed])).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(here.fingerprint()).toBe(before);
  });

  test("RV-14: what is attached and cannot be used any more is marked with its reason, never missing", () => {
    const here = withSkills();
    for (const entry of ["house:writing", "house:naming"]) here.json(["attach", "support", entry]);
    here.json(["block", "add", "entry", "house:writing", "--reason", "leaks addresses"]);
    const { code, out } = here.run(["config", "show", "support"]);
    expect(code).toBe(0);
    expect(out).toMatch(/✗ house:writing +blocked +.*leaks addresses/);
    expect(out).toMatch(/✓ house:naming +enabled/);
    expect(out).toContain("1 of 2 cannot be used now");

    here.json(["source", "remove", "house"]);
    expect(here.json(["config", "show", "support"]).attached).toMatchObject([
      { entry: "house:writing", usable: false, state: "orphaned" },
      { entry: "house:naming", usable: false, state: "orphaned", reason: "it is not in its source any more" },
    ]);
    // `naming` is also in the other source, but only one of that name is on it.
    expect(here.json(["detach", "support", "naming"])).toMatchObject({ entry: "house:naming" });
    expect(here.refusal(["detach", "support", "house:naming"]).code).toBe("record.missing");
    expect(here.run(["detach", "support", "house:writing"]).out).toBe(
      "Detached house:writing from config:support\n\nskills  none\n",
    );
  });

  test("RV-14: a name that several on it have takes none of them off", () => {
    const here = withSkills();
    // Two of one name, by different people, are never clean.
    for (const entry of ["house:naming", "other:naming"]) {
      const { current } = here.json(["review", entry]);
      here.json(["review", entry, "--approve", "--digest", current]);
      here.json(["attach", "support", entry]);
    }
    expect(here.refusal(["detach", "support", "naming"]).message).toMatch(
      /house:naming, other:naming; name one by its id$/,
    );
    expect(here.json(["detach", "support", "other:naming"]).attached).toMatchObject([{ entry: "house:naming" }]);
    expect(here.json(["detach", "support", "naming"]).attached).toEqual([]);
  });
});

describe("T40: at the end", () => {
  test("T40: no secret was ever printed, and none lies in any file in the clear", () => {
    const kept = home();
    kept.json(["provider", "add", "main", ...openai, "--secret-stdin"], { input: secret });
    for (const act of ["list", "show main", "remove main"]) kept.run(["provider", ...act.split(" ")]);
    kept.run(["provider", "add", "main", ...openai, "--secret-stdin", "--json"], { input: `${secret} with blanks` });
    for (const here of homes) expect(here.leaks(secret)).toEqual([]);
  });
});
