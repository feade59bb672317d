import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { parseYaml } from "../../src/skill/yaml.ts";
import { fileOf, type HostileCase, hostileCases } from "./hostile-yaml.ts";

const child = fileURLToPath(new URL("hostile-yaml.child.mjs", import.meta.url));
const built = fileURLToPath(new URL("../../dist/skill.js", import.meta.url));

type Run = "workspace" | "ingest" | "unbounded";

/** A map as the child describes it: whether it is without a prototype, and its own entries. */
interface Bare {
  readonly bare: boolean;
  readonly entries: readonly (readonly [key: string, value: unknown])[];
}

interface Verdict {
  readonly id: string;
  readonly run: Run;
  readonly round: number;
  readonly loaded: boolean;
  readonly codes: readonly string[];
  readonly manifest?: { name: string; description: string | null; metadata: Record<string, string> };
  readonly frontmatter?: Bare;
  readonly body?: string;
}

interface Outcome {
  readonly verdicts: readonly Verdict[];
  readonly polluted: boolean;
  readonly taken: boolean;
}

/** What the child printed; a child that did not exit with 0 fails the whole file. */
let outcome: Outcome;

beforeAll(async () => {
  if (!existsSync(built)) throw new Error("dist is missing: npm run build first");
  outcome = await runChild();
});

function runChild(): Promise<Outcome> {
  const cases = hostileCases.map((each) => ({ id: each.id, file: fileOf(each) }));
  return new Promise((resolve, reject) => {
    const options = { timeout: 60_000, maxBuffer: 64 << 20, env: {} };
    const started = execFile(process.execPath, [child], options, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`the child did not live through it: ${error.message}\n${stderr}`));
      const printed: Outcome = JSON.parse(stdout);
      resolve(printed);
    });
    started.stdin?.end(JSON.stringify(cases));
  });
}

/** The verdicts of both rounds; they may not differ. */
function verdictOn({ id }: HostileCase, run: Run): Verdict {
  const [first, second] = outcome.verdicts.filter((each) => each.id === id && each.run === run);
  if (first === undefined) throw new Error(`no verdict on ${id} in ${run}`);
  expect(second).toEqual({ ...first, round: 2 });
  return first;
}

function casesOf(...expectations: HostileCase["expect"][]): HostileCase[] {
  return hostileCases.filter((each) => expectations.includes(each.expect));
}

function caseOf(id: string): HostileCase {
  const found = hostileCases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
}

function bare(...entries: Bare["entries"]): Bare {
  return { bare: true, entries };
}

describe("25 hostile headers, twice over in one process (T20, T21, T22)", () => {
  it("are 25, of which 17 are to be refused", () => {
    expect(new Set(hostileCases.map(({ id }) => id)).size).toBe(25);
    expect(casesOf("refused")).toHaveLength(17);
  });

  it("leave the process alive, its prototypes clean and no code run", () => {
    expect(outcome.verdicts).toHaveLength(25 * 3 * 2);
    expect(outcome.polluted).toBe(false);
    expect(outcome.taken).toBe(false);
  });

  it.each(casesOf("refused"))("$clause: $id is refused on ingest", (each) => {
    expect(verdictOn(each, "ingest").loaded).toBe(false);
  });

  it.each(casesOf("refused"))("$clause: $id is refused in a workspace", (each) => {
    expect(verdictOn(each, "workspace").loaded).toBe(false);
  });

  it.each(casesOf("refused").filter(({ code }) => code !== undefined))(
    "$clause: $id is refused as $code by the reader itself, however large a header may be",
    (each) => {
      const verdict = verdictOn(each, "unbounded");
      expect(verdict.loaded).toBe(false);
      expect(verdict.codes).toContain(each.code);
    },
  );

  it("SK-4: the YAML reader refuses two documents", () => {
    const { root, fault } = parseYaml(caseOf("two-documents").header, limits.skill.workspace);
    expect(root).toBeUndefined();
    expect(fault?.code).toBe("yaml.documents");
  });

  it("T22: a word after the opening fence chooses nothing; the file is text", () => {
    const each = caseOf("engine-after-fence");
    const verdict = verdictOn(each, "workspace");
    expect(verdict.body).toBe(each.header);
    expect(verdict.frontmatter).toEqual(bare());
    expect(verdict.manifest?.name).toBe("plain");
    expect(verdictOn(each, "ingest").loaded).toBe(false);
  });
});

describe.each(["workspace", "ingest"] as const)("what a hostile header may say, in profile %s", (run) => {
  it.each(casesOf("plain-data", "string", "repaired", "accepted"))("$clause: $id loads", (each) => {
    expect(verdictOn(each, run).loaded).toBe(true);
  });

  it("T21: `__proto__` is a key like any other", () => {
    const { frontmatter } = verdictOn(caseOf("proto-key"), run);
    expect(frontmatter?.bare).toBe(true);
    expect(frontmatter?.entries).toContainEqual(["__proto__", bare(["polluted", 1])]);
  });

  it("T21: `constructor` and `prototype` are keys like any other", () => {
    const { frontmatter } = verdictOn(caseOf("constructor-key"), run);
    expect(frontmatter?.bare).toBe(true);
    expect(frontmatter?.entries).toContainEqual(["constructor", bare(["prototype", bare(["polluted", 1])])]);
  });

  it("SK-4: `no`, `on` and `1.10` keep their text", () => {
    const { manifest } = verdictOn(caseOf("words-like-booleans"), run);
    expect(manifest).toMatchObject({ name: "no", description: "on" });
    expect(verdictOn(caseOf("version-like-number"), run).manifest?.metadata).toEqual({ version: "1.10" });
  });

  it("SK-4: an unquoted colon is read as its author meant it, and said", () => {
    const verdict = verdictOn(caseOf("unquoted-colon"), run);
    expect(verdict.codes).toContain("yaml.repaired");
    expect(verdict.manifest).toMatchObject({ name: "plain", description: "Reach for it: whenever it rains" });
  });

  it("SK-1: a byte order mark and CRLF change nothing", () => {
    const verdict = verdictOn(caseOf("mark-and-crlf"), run);
    expect(verdict.codes).toEqual(["file.bom"]);
    expect(verdict.manifest).toMatchObject({ name: "plain", description: "From another editor." });
    expect(verdict.body).toBe("Body.\r\n");
  });

  it("SK-4: markup in a description stays text, for whoever shows it to escape", () => {
    const { manifest } = verdictOn(caseOf("markup-in-description"), run);
    expect(manifest?.description).toBe("<img src=x onerror=alert(1)>");
  });
});
