import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isGroup } from "../../src/features/command/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { skillward } from "../support/cli.ts";
import { skillwardWarm } from "../support/warm.ts";
import { examples } from "./examples.ts";

const commands = await loadCommands();

let room = "";
beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), "skillward-cli-"));
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

function skillFolder(name: string, text: string): string {
  const folder = join(room, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), text);
  return folder;
}

describe("the frame", () => {
  test("--version is the package's", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(skillward(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(skillwardWarm(["-V"]).out).toBe(`${version}\n`);
  });

  test("--help names every command and group", () => {
    const { code, out } = skillwardWarm(["--help"]);
    expect(code).toBe(0);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(out).toContain("Exit codes:");
  });

  const paths = commands.flatMap((row) =>
    isGroup(row) ? row.commands.map(({ name }) => [row.name, name]) : [[row.name]],
  );

  test.each(paths)("%s %s --help has examples of just that command", (...path) => {
    const { code, out } = skillwardWarm([...path, "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("--json");
    expect(out).toContain(`skillward ${path.join(" ")}`);
    expect(out.slice(out.indexOf("Examples:"))).toContain(`skillward ${path.join(" ")}`);
  });

  test.each(commands.filter(isGroup))("$name --help names its commands", ({ name, commands: below }) => {
    const { code, out } = skillwardWarm([name, "--help"]);
    expect(code).toBe(0);
    for (const command of below) expect(out).toMatch(new RegExp(`^  ${command.name} `, "m"));
  });

  test.each([
    [["validat", "x"], "Did you mean validate?"],
    [["validate"], "missing required argument 'path'"],
    [["validate", "--profile", "lax", "."], "Allowed choices are workspace, ingest, strict, registry"],
    [["validate", "--nope", "."], "unknown option '--nope'"],
    [["completion", "tcsh"], "Allowed choices are bash, zsh, fish"],
  ])("%j is wrong usage: exit 2, on standard error, without a stack", (args, message) => {
    const { code, out, err } = skillward(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test("wrong usage with --json is JSON too, and repeats nothing unseen", () => {
    const { code, out, err } = skillwardWarm(["validate", ".", "--json", "--no\u001b[31m\u202epe"]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "usage.invalid" } });
    for (const unseen of ["\u001b", "\u202e"]) expect(out + err).not.toContain(unseen);
  });

  test("colours only where they are wanted", () => {
    const esc = "\u001b[";
    expect(skillwardWarm(["validate", "examples/skills"]).out).not.toContain(esc);
    expect(skillwardWarm(["validate", "examples/skills"], { env: { FORCE_COLOR: "1" } }).out).toContain(esc);
    const both = { FORCE_COLOR: "1", NO_COLOR: "1" };
    expect(skillwardWarm(["validate", "examples/skills"], { env: both }).out).not.toContain(esc);
  });

  test("a reader that has seen enough is not an error", () => {
    const script = `"${process.execPath}" dist/cli.js validate test/fixtures/skills --json | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^\{\n[01]\n$/);
  });
});

describe("SK-15: validate", () => {
  test("the examples pass every profile, and each line shows both verdicts", () => {
    for (const profile of ["workspace", "ingest", "strict", "registry"]) {
      const { code, out } = skillwardWarm(["validate", "examples/skills", "--profile", profile]);
      expect(code).toBe(0);
      for (const name of examples) expect(out).toMatch(new RegExp(`✓ ${name} +[0-9a-f]{12}  loadable · strict`));
    }
  });

  test("--json has the documented shape", () => {
    const { out } = skillwardWarm(["validate", "examples/skills/incident-postmortem", "--json"]);
    const report = JSON.parse(out);
    expect(Object.keys(report.skills[0])).toEqual(
      expect.arrayContaining(
        "path name loadable strict kind support digest bodyChecksum allowedTools files findings".split(" "),
      ),
    );
    expect(report).toMatchObject({
      findings: [],
      skills: [
        {
          path: "examples/skills/incident-postmortem",
          name: "incident-postmortem",
          loadable: true,
          strict: true,
          kind: "tool",
          support: "partial",
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          findings: [{ code: "contract.inert", level: "info", at: { file: "contract.js", line: 1 } }],
        },
      ],
    });
  });

  test("a finding is shown with file and line, and a blocking one fails", () => {
    const folder = skillFolder("broken", "---\nname: broken\nname: again\n---\n");
    const { code, out } = skillwardWarm(["validate", folder]);
    expect(code).toBe(1);
    expect(out).toContain(`${folder}/SKILL.md:3`);
    expect(out).toContain("yaml.duplicate");
    expect(out).toContain("fail workspace");
  });

  test("the profile decides: an unknown field passes a workspace and fails strict", () => {
    const folder = skillFolder("extra", "---\nname: extra\ndescription: d\nmodel: x\n---\nBody\n");
    expect(skillwardWarm(["validate", folder]).code).toBe(0);
    expect(skillwardWarm(["validate", folder, "--profile", "strict"]).code).toBe(1);
  });

  test("a skill may be named by its folder, its SKILL.md, a relative path or a link; it is read once", () => {
    const folder = skillFolder("one/named", "---\nname: named\ndescription: d\n---\nBody\n");
    symlinkSync(folder, join(room, "link-to-named"));
    const paths = [folder, join(folder, "SKILL.md"), "one", "one/named/", "link-to-named"];
    const reports = paths.map((path) => JSON.parse(skillwardWarm(["validate", path, "--json"], { cwd: room }).out));
    const digests = new Set(reports.map((report) => report.skills[0].digest));
    expect(digests.size).toBe(1);
    expect(JSON.parse(skillwardWarm(["validate", ...paths, "--json"], { cwd: room }).out).skills).toHaveLength(1);
    expect(reports[2].skills[0].path).toBe("one/named");
  });

  test("collisions and duplicates are in the second list", () => {
    const text = (body: string) => `---\nname: twin\ndescription: d\n---\n${body}\n`;
    skillFolder("set/a/twin", text("same"));
    skillFolder("set/b/twin", text("same"));
    skillFolder("set/c/twin", text("other"));
    const report = JSON.parse(skillwardWarm(["validate", "set", "--json"], { cwd: room }).out);
    expect(report.findings.map(({ code }: { code: string }) => code)).toEqual(["set.duplicate", "set.collision"]);
  });

  test("a folder without skills does not pass in silence", () => {
    mkdirSync(join(room, "empty"), { recursive: true });
    const { code, out } = skillwardWarm(["validate", "empty"], { cwd: room });
    expect(code).toBe(1);
    expect(out).toContain("skill.none");
  });

  test("an error with --json is JSON too", () => {
    const { code, out } = skillwardWarm(["validate", "nowhere", "--json"], { cwd: room });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({ error: { code: "path.missing", message: "no such path: nowhere" } });
  });
});

describe("SK-14: schema", () => {
  test("writes, then finds nothing to say; --check names what is wrong and changes nothing", () => {
    expect(skillwardWarm(["schema", "--check", "--dir", "s"], { cwd: room }).code).toBe(1);
    expect(skillwardWarm(["schema", "--dir", "s"], { cwd: room }).code).toBe(0);
    expect(skillwardWarm(["schema", "--check", "--dir", "s"], { cwd: room }).code).toBe(0);

    const path = join(room, "s/skill-scope.schema.json");
    writeFileSync(path, "{}");
    writeFileSync(join(room, "s/gone.schema.json"), "{}");
    const { code, out } = skillwardWarm(["schema", "--check", "--dir", "s"], { cwd: room });
    expect(code).toBe(1);
    expect(out).toContain("different s/skill-scope.schema.json");
    expect(out).toContain("stale     s/gone.schema.json");
    expect(readFileSync(path, "utf8")).toBe("{}");
  });

  test("the committed schemas are current", () => {
    expect(skillwardWarm(["schema", "--check"]).code).toBe(0);
  });
});

describe("completion", () => {
  const inBash = (line: string) => {
    const words = line.split(" ");
    const script = `
      skillward() { "${process.execPath}" "${resolve("dist/cli.js")}" "$@"; }
      source <(skillward completion bash)
      compopt() { echo "compopt $*"; }
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      _skillward; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8", cwd: room }).stdout.trim().split("\n");
  };

  test("in a real bash: commands, options, choices and paths", () => {
    expect(inBash("skillward va")).toEqual(["validate"]);
    expect(inBash("skillward validate --profile s")).toEqual(["strict"]);
    expect(inBash("skillward validate x")).toContain("compopt -o default");
  });

  test("nothing that was typed is evaluated", () => {
    inBash("skillward validate $(touch${IFS}pwned)");
    inBash("skillward validate `touch${IFS}pwned`");
    inBash("skillward validate x;touch${IFS}pwned");
    expect(() => readFileSync(join(room, "pwned"))).toThrow("ENOENT");
  });

  const isInstalled = (shell: string) => spawnSync("bash", ["-c", `command -v ${shell}`]).status === 0;

  test.skipIf(!isInstalled("fish"))("in a real fish, where there is one", () => {
    const { out } = skillwardWarm(["completion", "fish"]);
    expect(out).toContain("complete -c skillward");
    const define = `function skillward; "${process.execPath}" "${resolve("dist/cli.js")}" $argv; end`;
    const script = `${define}\n${out}\ncomplete -C "skillward validate --profile s"`;
    expect(spawnSync("fish", ["-c", script], { encoding: "utf8" }).stdout).toMatch(/^strict\t/);
  });

  test.skipIf(!isInstalled("zsh"))("zsh accepts its script, where there is one", () => {
    const { out } = skillwardWarm(["completion", "zsh"]);
    expect(out).toMatch(/^#compdef skillward\n/);
    expect(spawnSync("zsh", ["-n", "-c", out]).status).toBe(0);
  });
});
