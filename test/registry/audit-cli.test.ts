import { hash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { renderBatch } from "../../src/registry/usage/usage.ts";
import { CliHome } from "../support/cli-home.ts";
import { usage } from "./filled-store.ts";

const data = ".local/share/skillward";

/** One skill that was approved and used, by the command line alone. */
function usedHome(): { home: CliHome; digest: string } {
  const home = new CliHome();
  home.run(["source", "add", home.skills("skills", { pdf: "Read it.", csv: "Count it." }), "--id", "house"]);
  const [csv, pdf] = home.json(["skill", "list"]).items;
  home.json(["review", pdf.entry, "--approve", "--digest", pdf.current]);
  home.json(["review", csv.entry, "--approve", "--digest", csv.current]);
  const pdfUse = { at: Date.UTC(2026, 0, 1), entry: pdf.entry, digest: pdf.current };
  spool(home, "1", [usage({ ...pdfUse, event: "denied", tool: "she\u202ell\n" }), usage(pdfUse)]);
  home.json(["audit", "replay"]);
  return { home, digest: pdf.current };
}

function spool(home: CliHome, id: string, records: ReturnType<typeof usage>[]): void {
  const folder = join(home.folder, data, "spool");
  mkdirSync(folder, { recursive: true });
  const at = Date.UTC(2026, 0, 1);
  writeFileSync(join(folder, `${id}.json`), renderBatch({ id, node: "n", at, records, injections: [] }));
}

let used: CliHome;
let digest: string;
beforeAll(() => ({ home: used, digest } = usedHome()));
afterAll(() => used.remove());

function copied(): CliHome {
  const home = used.copy();
  onTestFinished(() => home.remove());
  return home;
}

function tamper(home: CliHome, sql: string): void {
  const database = home.database;
  database.exec(sql);
  database.close();
}

describe("skillward audit verify", () => {
  test("RV-8: counts what it verified and says that all is as it was written", () => {
    const { code, out } = used.run(["audit", "verify", "--all"]);
    expect(code).toBe(0);
    expect(out).toMatch(/✓ checkpoint +1\n✓ audit records +\d+\n✓ signed words +2\n✓ batches of usage +1\n/);
    expect(out).toMatch(/store [0-9a-f]{32}: everything is as it was written\n$/);
  });

  test("T19: names the first record that was changed, ends with 1, and changes nothing", () => {
    const home = copied();
    tamper(home, "UPDATE audit SET subject = 'house:csv' WHERE seq = 5");
    const before = home.fingerprint();
    const { code, out } = home.run(["audit", "verify"]);
    expect([code, home.fingerprint()]).toEqual([1, before]);
    expect(out).toContain("audit.changed  audit record 5 was changed: it now says");
    const report = JSON.parse(home.run(["audit", "verify", "--json"]).out);
    expect(report.passes).toBe(false);
    expect(report.parts[1]).toMatchObject({ part: "audit", checked: 4, found: 1 });
  });

  test("T19: works on the store that every other command refuses, as list, export, where and doctor do", () => {
    const home = copied();
    tamper(home, "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)");
    expect(home.refusal(["skill", "list"])).toMatchObject({ exit: 3, code: "store.rolled-back" });
    expect(home.run(["audit", "verify"]).out).toContain("audit.truncated");
    expect(home.run(["audit", "list"]).code).toBe(0);
    expect(home.run(["audit", "where", digest]).code).toBe(0);
    const exported = home.run(["audit", "export"]);
    expect([exported.code, exported.err]).toEqual([1, expect.stringContaining("not what the checkpoint has seen")]);
    const doctor = home.run(["doctor"]);
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringMatching(/fail {2}checkpoint .*rolled back/)]);
  });

  test("T19: an accepted rollback is on record, and from there on the chain is whole again", () => {
    const home = copied();
    tamper(home, "DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)");
    expect(home.run(["skill", "list", "--accept-rollback"]).code).toBe(0);
    const { code, out } = home.run(["audit", "verify"]);
    expect(code).toBe(1);
    expect(out).toMatch(/✓ audit records +\d+/);
    expect(out).toContain("usage.unrecorded");
    expect(home.json(["audit", "list", "--act", "store.rollback", "--limit", "1"])).toHaveLength(1);
  });
});

describe("skillward audit", () => {
  test("RV-8: list shows the newest first and narrows; what it cannot read is refused", () => {
    const all = used.json(["audit", "list"]);
    expect(all.map(({ seq }: { seq: number }) => seq)).toEqual(all.map((_: unknown, at: number) => all.length - at));
    expect(used.json(["audit", "list", "--act", "decision", "--subject", "csv"])).toHaveLength(1);
    expect(used.json(["audit", "list", "--after", "0", "--limit", "1"])).toMatchObject([
      { seq: 1, act: "store.created" },
    ]);
    expect(used.run(["audit", "list", "--by", "nobody"]).out).toBe("No records like that.\n");
    expect(used.refusal(["audit", "list", "--since", "yesterday"])).toMatchObject({ exit: 2, code: "usage.invalid" });
    expect(used.refusal(["audit", "list", "--after", "-1"])).toMatchObject({ exit: 2 });
    expect(used.refusal(["audit", "list", "--limit", "0"])).toMatchObject({ exit: 2 });
  });

  test("RV-8: export writes every record and the checkpoint, to a file or to standard output", () => {
    const home = copied();
    const file = join(home.folder, "out", "audit.jsonl");
    const { records } = home.json(["audit", "export", "--to", file]);
    const text = readFileSync(file, "utf8");
    expect(home.run(["audit", "export"]).out).toBe(text);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(records + 1);
    expect(lines.at(-1).checkpoint.audit).toEqual({ seq: records, hash: lines.at(-2).hash });
    const { seq, at, by, act, subject, details, prev } = lines[0];
    expect(prev).toBe(hash("sha256", `skillward audit ${lines.at(-1).checkpoint.store}`));
    expect(lines[0].hash).toBe(hash("sha256", JSON.stringify([seq, at, by, act, subject, details, prev])));
  });

  test("RV-8: where shows entries, words and uses of a digest", () => {
    const { code, out } = used.run(["audit", "where", digest.slice(0, 8)]);
    expect(code).toBe(0);
    expect(out).toContain(digest);
    expect(out).toMatch(/house:pdf +enabled +yes +yes +nothing/);
    expect(out).toMatch(/approve +house:pdf +machine:tester/);
    expect(out).toMatch(/support +- +c-1 +house:pdf +injected +- +1 +2026-01-01 00:00:00 UTC/);
    expect(out).toMatch(/house:pdf +denied +she\\u\{202e\}ll\\u\{a\} +1 +2026/);
    expect(used.json(["audit", "where", digest, "--each"]).uses).toMatchObject([
      { at: Date.UTC(2026, 0, 1), event: "injected", tool: null },
      { at: Date.UTC(2026, 0, 1), event: "denied", tool: "she\u202ell\n" },
    ]);
    expect(used.json(["audit", "where", digest]).uses).toContainEqual(
      expect.objectContaining({ event: "denied", tool: "she\u202ell\n", times: 1 }),
    );
    expect(used.refusal(["audit", "where", "0000000000000000"])).toMatchObject({ exit: 2, code: "record.missing" });
  });

  test("RV-8: replay writes what waits, once; a file that is no batch is set aside", () => {
    const home = copied();
    spool(home, "2", [usage({ digest })]);
    writeFileSync(join(home.folder, data, "spool", "3.json"), "{");
    const { code, out } = home.run(["audit", "replay"]);
    expect([code, out]).toEqual([1, expect.stringContaining("batches of usage that were written into the store: 1")]);
    expect(existsSync(join(home.folder, data, "spool", "3.json.bad"))).toBe(true);
    expect(home.json(["audit", "replay"])).toEqual({ batches: 0, findings: [] });
    expect(home.run(["audit", "verify"]).code).toBe(0);
  });

  test("RV-8: expire removes what is older than the configuration says", () => {
    const home = copied();
    home.configure("usage:\n  retention-days: 1\n");
    expect(home.json(["audit", "expire"])).toMatchObject({ batches: 1 });
    expect(home.run(["audit", "expire"]).out).toMatch(/^batches of usage from before .*: 0$/m);
    expect(home.run(["audit", "where", digest]).out).toMatch(/Usage before .* is not kept any more/);
    expect(home.run(["audit", "verify"]).code).toBe(0);
    home.configure("usage:\n  retention-days: forever\n");
    expect(home.run(["audit", "expire"]).out).toContain("kept forever");
  });
});

describe("skillward keys", () => {
  test("T40: rotate changes the keys, everything still verifies, and no secret is ever printed", () => {
    const home = copied();
    const file = join(home.folder, ".config/skillward/keys.json");
    const before = JSON.parse(readFileSync(file, "utf8"));
    expect(home.json(["keys", "show"])).toMatchObject({ isAdopted: true, signing: [{ state: "active" }] });
    const { signing } = home.json(["keys", "rotate"]);
    expect(home.run(["keys", "show"]).out).toMatch(new RegExp(`${signing} +signing +active`));
    expect(home.run(["keys", "show"]).out).toMatch(new RegExp(`${before.signing[0].id} +signing +retired`));
    expect(home.run(["audit", "verify", "--all"]).code).toBe(0);
    expect(home.json(["skill", "list", "--state", "enabled"]).total).toBe(2);
    const after = JSON.parse(readFileSync(file, "utf8"));
    const secrets = [
      before.signing[0].seed,
      after.signing[0].seed,
      ...after.secrets.map((each: { key: string }) => each.key),
    ];
    for (const secret of secrets) expect(home.printed).not.toContain(secret);
    expect(home.run(["keys", "rotate"]).err).toContain("Copy the key file to every other node");
  });

  test("RV-12: the help tells the key file from API keys", () => {
    const { out } = used.run(["--help"]);
    expect(out).toMatch(/key +API keys: add, list, revoke/);
    expect(out.replaceAll(/\s+/g, " ")).toContain("(API keys are `skillward key`)");
  });
});

describe("skillward doctor", () => {
  test("SV-10: nothing to do is 0; whatever there is to do is 1 with what to do", () => {
    const home = copied();
    const fine = home.run(["doctor"]);
    expect([fine.code, fine.out]).toEqual([0, expect.stringMatching(/\d+ ok, 0 to look at, 0 to mend\n$/)]);
    spool(home, "2", []);
    chmodSync(join(home.folder, data), 0o755);
    writeFileSync(join(home.folder, "skillward.yaml"), "providers: {}\n");
    const { code, out } = home.run(["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/warn {2}data .*others can look into/);
    expect(out).toContain(`→ chmod 700 ${join(home.folder, data)}`);
    expect(out).toMatch(/warn {2}spool .*\n +→ skillward audit replay/);
    expect(out).toMatch(/fail {2}workspace .*providers: refused and without effect/);
    expect(JSON.parse(home.run(["doctor", "--json"]).out)).toMatchObject({ passes: false });
  });

  test("SV-10: --offline asks nobody elsewhere, and says so", () => {
    const { code, out } = used.run(["doctor", "--offline"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok {4}network {8}nobody elsewhere was asked/m)]);
  });

  test("SV-10: it makes nothing on a machine that has nothing", () => {
    const home = new CliHome();
    onTestFinished(() => home.remove());
    expect(home.run(["doctor"]).code).toBe(0);
    expect(home.files()).toEqual([]);
  });
});

test("RV-12: a reader reads the audit; retention and the keys are for admins", () => {
  const home = copied();
  const { key } = home.json(["key", "add", "ci", "--role", "reader"]);
  expect(home.run(["audit", "verify"], { as: key }).code).toBe(0);
  expect(home.run(["audit", "list"], { as: key }).code).toBe(0);
  for (const command of [
    ["audit", "expire"],
    ["audit", "replay"],
    ["keys", "show"],
    ["keys", "rotate"],
  ])
    expect(home.refusal(command, { as: key })).toMatchObject({ exit: 2, code: "auth.forbidden" });
  home.json(["provider", "add", "echo", "--protocol", "echo", "--model", "m"]);
  home.json(["config", "add", "shop", "--provider", "echo", "--model", "m"]);
  const { key: limited } = home.json(["key", "add", "shop", "--role", "reader", "--configuration", "shop"]);
  for (const command of [
    ["audit", "verify"],
    ["audit", "list"],
    ["audit", "where", digest],
  ])
    expect(home.refusal(command, { as: limited })).toMatchObject({ exit: 2, code: "auth.forbidden" });
});
