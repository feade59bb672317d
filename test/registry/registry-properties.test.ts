import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { canonicalJson, type Plain } from "../../src/core/canonical.ts";
import { AppError } from "../../src/core/error.ts";
import { auditGenesis, auditHash, type AuditWrites, recordEvents } from "../../src/registry/audit/audit.ts";
import { type Checkpoint, parseCheckpoint, renderCheckpoint } from "../../src/registry/audit/checkpoint.ts";
import {
  type Belonging,
  createKeyFile,
  decrypt,
  encrypt,
  isSealed,
  isSigned,
  type KeyFile,
  loadKeys,
  parseKeyFile,
  renderKeyFile,
  rotateKeyFile,
  sealText,
  signText,
} from "../../src/registry/keys.ts";
import { fingerprintOf } from "../../src/registry/sync/sync.ts";
import { verifyChain } from "../../src/registry/verify.ts";
import { readFolder } from "../../src/sources/folder.ts";
import { seededRandomness } from "../../src/testing/seeded-randomness.ts";
import type { AuditRecord } from "../../src/registry/schema.ts";

const random = seededRandomness();
const keyFile = createKeyFile(random);
const keys = loadKeys(keyFile);
const strangers = loadKeys(createKeyFile(seededRandomness("strangers")));

describe("canonicalJson: one value, one text", () => {
  const key = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", "b", "__proto__", "1", "10", "2", "é", "𝒳"));
  const { value: anyPlain } = fc.letrec<{ value: Plain }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string({ unit: "binary" }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));

  test("whatever order its keys were written in", () => {
    fc.assert(
      fc.property(anyPlain, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("a field that is undefined is not there", () => {
    expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
  });

  test("that says the value again", () => {
    fc.assert(
      fc.property(anyPlain, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("and two values never have the same", () => {
    fc.assert(
      fc.property(anyPlain, anyPlain, (one, other) => {
        const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });

  function reversed(value: Plain): Plain {
    if (Array.isArray(value)) return value.map((item: Plain) => reversed(item));
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).toReversed();
    return Object.fromEntries(fields.map(([name, field]) => [name, field === undefined ? undefined : reversed(field)]));
  }
});

const text = fc.string({ unit: "binary", maxLength: 40 });
const belonging = fc.oneof(
  fc.tuple(text, text, fc.nat()),
  fc.tuple(text, text, fc.nat(), text),
) as fc.Arbitrary<Belonging>;

describe("T40: a secret", () => {
  test("opens for the record it was made for, and for no other: every part binds", () => {
    fc.assert(
      fc.property(text, belonging, belonging, (secret, own, other) => {
        const encrypted = encrypt(keys, random, secret, own);
        expect(decrypt(keys, encrypted, own)).toBe(secret);
        const [table, id, version, origin] = own;
        const others: Belonging[] = [
          [`${table}x`, id, version],
          [table, `${id}x`, version],
          [table, id, version + 1],
        ];
        others.push([table, id, version, `${origin ?? ""}x`], other);
        for (const wrong of others.filter((each) => !isDeepStrictEqual(each, own)))
          expect(() => decrypt(keys, encrypted, wrong)).toThrow(AppError);
      }),
    );
  });

  test("no character of it can change", () => {
    const encrypted = encrypt(keys, random, "the secret of a provider", ["providers", "one", 1, "https://a.example"]);
    const opens = (edited: string) => {
      try {
        return decrypt(keys, edited, ["providers", "one", 1, "https://a.example"]) !== "";
      } catch (error) {
        return !(error instanceof AppError);
      }
    };
    expect(bent(encrypted).filter(opens)).toEqual([]);
  });

  test("cannot be cut short, not even where nothing is left but its tag", () => {
    const [id, nonce, sealed = ""] = encrypt(keys, random, "", ["providers", "one", 1]).split(".");
    for (let bytes = 0; bytes < 16; bytes++) {
      const cut = Buffer.from(sealed, "base64url").subarray(0, bytes).toString("base64url");
      const open = () => decrypt(keys, [id, nonce, cut].join("."), ["providers", "one", 1]);
      expect(open, `${bytes} bytes`).toThrow(expect.objectContaining({ code: "keys.unusable" }));
    }
  });

  test("is never made twice alike, and opens with an old key after a rotation", () => {
    const own: Belonging = ["providers", "one", 1];
    const encrypted = encrypt(keys, random, "secret", own);
    expect(encrypt(keys, random, "secret", own)).not.toBe(encrypted);
    expect(decrypt(loadKeys(rotateKeyFile(keyFile, random)), encrypted, own)).toBe("secret");
    expect(() => decrypt(strangers, encrypted, own)).toThrow("the key file has no secret");
  });
});

describe("T17, T18: a seal and a signature", () => {
  test("are of one text and one key file", () => {
    fc.assert(
      fc.property(text, text, (own, other) => {
        const [seal, signature] = [sealText(keys, own), signText(keys, own)];
        expect([isSealed(keys, own, seal), isSigned(keys, own, signature)]).toEqual([true, true]);
        expect([isSealed(strangers, own, seal), isSigned(strangers, own, signature)]).toEqual([false, false]);
        // A text that is not whole Unicode is signed as what it is shown as.
        const isSame = Buffer.from(own).equals(Buffer.from(other));
        expect([isSealed(keys, other, seal), isSigned(keys, other, signature)]).toEqual([isSame, isSame]);
      }),
    );
  });

  test("no character of either can change, nor one be added", () => {
    const seal = sealText(keys, "text");
    const { key, signature } = signText(keys, "text");
    for (const added of [" ", "=", "A", "\n"]) {
      expect(isSigned(keys, "text", { key, signature: `${signature}${added}` })).toBe(false);
      expect(isSigned(keys, "text", { key: `${key}${added}`, signature })).toBe(false);
    }
    expect(bent(signature).filter((other) => isSigned(keys, "text", { key, signature: other }))).toEqual([]);
    expect(bent(seal).filter((other) => isSealed(keys, "text", other))).toEqual([]);
  });

  test("made with a key that was retired still hold, and nobody can sign with it", () => {
    const [seal, signature] = [sealText(keys, "text"), signText(keys, "text")];
    const rotated = rotateKeyFile(keyFile, random);
    expect(isSealed(loadKeys(rotated), "text", seal)).toBe(true);
    expect(isSigned(loadKeys(rotated), "text", signature)).toBe(true);
    expect(rotated.signing.map(({ seed }) => seed !== undefined)).toEqual([true, false]);
  });

  test("the rubbish that a row may hold is no seal", () => {
    fc.assert(
      fc.property(text, text, (own, rubbish) => {
        expect(isSealed(keys, own, rubbish)).toBe(false);
        expect(isSigned(keys, own, { key: keys.signing.id, signature: rubbish })).toBe(false);
      }),
    );
  });
});

const base64 = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

/** One character replaced by every other letter and digit. */
function bent(encoded: string): string[] {
  const places = Array.from(encoded).keys();
  const others = (at: number) => base64.map((other) => `${encoded.slice(0, at)}${other}${encoded.slice(at + 1)}`);
  return [...places].flatMap(others).filter((other) => other !== encoded);
}

describe("RV-3: a key file", () => {
  test("is read as it was written", () => {
    expect(parseKeyFile(renderKeyFile(keyFile), "keys.json")).toEqual(keyFile);
    const rotated = rotateKeyFile(keyFile, random);
    expect(parseKeyFile(renderKeyFile(rotated), "keys.json")).toEqual(rotated);
  });

  test("that is damaged anywhere is refused or still whole, and nothing of it is quoted", () => {
    const whole = renderKeyFile(rotateKeyFile(keyFile, random));
    const places = fc.nat(whole.length - 1);
    const damage = fc.oneof(
      places.map((at) => whole.slice(0, at)),
      fc.tuple(places, text).map(([at, with_]) => `${whole.slice(0, at)}${with_}${whole.slice(at + 1)}`),
      fc
        .tuple(places, places)
        .map(([from, to]) => `${whole.slice(0, Math.min(from, to))}${whole.slice(Math.max(from, to))}`),
    );
    fc.assert(
      fc.property(damage, (damaged) => {
        expect(refusal(damaged)).not.toMatch(/[A-Za-z0-9+/]{12}/);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (file: KeyFile) => unknown, string]>([
    ["no JSON", () => "{", "not a key file of version 1"],
    ["a list", () => [], "not a key file of version 1"],
    ["of another version", (file) => ({ ...file, version: 2 }), "not a key file of version 1"],
    ["without signing keys", (file) => ({ ...file, signing: undefined }), "`signing`"],
    ["with an empty list of them", (file) => ({ ...file, signing: [] }), "`signing`"],
    [
      "without a seed",
      (file) => ({ ...file, signing: file.signing.map(({ id, public: raw }) => ({ id, public: raw })) }),
      "`signing`",
    ],
    ["with the seed of another key", (file) => ({ ...file, signing: file.signing.map(otherSeed) }), "`signing`"],
    ["with a short public key", (file) => ({ ...file, signing: file.signing.map(shortPublic) }), "`signing`"],
    [
      "with an odd id",
      (file) => ({ ...file, signing: file.signing.map((key) => ({ ...key, id: "../x" })) }),
      "`signing`",
    ],
    ["without secrets", (file) => ({ ...file, secrets: [] }), "`secrets`"],
    ["with a short secret", (file) => ({ ...file, secrets: [{ id: "one", key: "AAAA" }] }), "`secrets`"],
    ["with one id twice", (file) => ({ ...file, secrets: [...file.secrets, ...file.secrets] }), "the same id"],
  ])("%s is refused, and says what is wrong", (_, damaged, why) => {
    const made = damaged(keyFile);
    expect(refusal(typeof made === "string" ? made : JSON.stringify(made))).toContain(why);
  });

  function otherSeed(key: KeyFile["signing"][number]) {
    return { ...key, seed: Buffer.alloc(32, 7).toString("base64") };
  }

  function shortPublic(key: KeyFile["signing"][number]) {
    return { ...key, public: key.public.slice(4) };
  }

  function refusal(file: string): string {
    try {
      loadKeys(parseKeyFile(file, "keys.json"));
      return "";
    } catch (error) {
      expect(error).toMatchObject({ code: "keys.unusable" });
      return (error as AppError).message;
    }
  }
});

describe("RV-8: a checkpoint", () => {
  const head = fc.record({ seq: fc.nat(), hash: text });
  const anyCheckpoint: fc.Arbitrary<Checkpoint> = fc.record({ store: text, audit: head, ledger: head, at: fc.nat() });

  test("is read as it was written, by its own store and key file only", () => {
    fc.assert(
      fc.property(anyCheckpoint, (checkpoint) => {
        const written = renderCheckpoint(checkpoint, keys);
        expect(parseCheckpoint(written, checkpoint.store, keys, "one.json")).toEqual(checkpoint);
        const refused = expect.objectContaining({ code: "store.rolled-back" });
        expect(() => parseCheckpoint(written, `${checkpoint.store}x`, keys, "one.json")).toThrow(refused);
        expect(() => parseCheckpoint(written, checkpoint.store, strangers, "one.json")).toThrow(refused);
      }),
    );
  });

  test("with any field changed, left out or of another checkpoint is refused", () => {
    fc.assert(
      fc.property(anyCheckpoint, anyCheckpoint, fc.nat(5), (one, other, at) => {
        const [written, another] = [one, other].map((each) => JSON.parse(renderCheckpoint(each, keys)));
        const fields = Object.keys(written);
        const field = fields[at] ?? "store";
        const refused = expect.objectContaining({ code: "store.rolled-back" });
        const parse = (changed: unknown) => () => parseCheckpoint(JSON.stringify(changed), one.store, keys, "one.json");
        expect(parse({ ...written, [field]: undefined })).toThrow(refused);
        if (!isDeepStrictEqual(written[field], another[field]) && field !== "key")
          expect(parse({ ...written, [field]: another[field] })).toThrow(refused);
      }),
    );
  });

  test.each(["", "{", "null", "[]", "3", '{"audit":{"seq":1}}', '{"store":"s","at":1,"audit":null,"ledger":null}'])(
    "%j is refused in words that help",
    (rubbish) => {
      expect(() => parseCheckpoint(rubbish, "s", keys, "one.json")).toThrow(/one\.json.*restore it/);
    },
  );
});

describe("IN-22: the fingerprint", () => {
  const segment = fc.constantFrom("a", "b", "Z", "é", "ß", "-x", "0", "skills", "a b", "..a", "$x", "日本");
  const filePath = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join("/")}.md`);
  const skill = fc.dictionary(filePath, fc.string({ unit: "binary", maxLength: 30 }), { maxKeys: 4 });
  const tree = fc.dictionary(fc.constantFrom("pdf", "pdf-x", "x/y", "Z", "日本"), skill, { minKeys: 1, maxKeys: 4 });

  test("is what find, sha256sum and sort compute", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (skills) => {
        const root = mkdtempSync(join(tmpdir(), "skillward-fingerprint-"));
        try {
          for (const [folder, files] of Object.entries(skills))
            for (const [path, content] of Object.entries({ ...files, "SKILL.md": "---\nname: x\n---\n" })) {
              mkdirSync(dirname(join(root, folder, path)), { recursive: true });
              writeFileSync(join(root, folder, path), content);
            }
          expect(fingerprintOf(await readSkills(root))).toBe(byShell(root));
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { numRuns: 25 },
    );
  });

  test("is that of a folder that is itself the one skill", async () => {
    const root = mkdtempSync(join(tmpdir(), "skillward-fingerprint-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "SKILL.md"), "---\nname: x\n---\n");
    writeFileSync(join(root, "notes.md"), "notes\n");
    expect(fingerprintOf(await readSkills(root))).toBe(byShell(root));
  });

  /** What a publisher would type. */
  function byShell(root: string): string {
    const script = `find . -type f -print0 | xargs -0 sha256sum -z | while IFS= read -r -d '' line
      do printf '%s:%s\\n' "\${line:68}" "\${line:0:64}"; done | LC_ALL=C sort | sha256sum`;
    const out = execFileSync("bash", ["-c", script], { cwd: root, encoding: "utf8" });
    return out.slice(0, 64);
  }

  async function readSkills(root: string) {
    const bounds = { files: 1000, seconds: 60, bytes: 1e6 };
    const { files } = createWorld();
    const reading = readFolder({ files, clock: { now: () => 0 } }, root, { bounds, onProgress: () => {} });
    const skills = [];
    for await (const { path, bundle } of reading) skills.push({ path, files: bundle.files });
    return skills;
  }
});

const store = "0123456789abcdef";
const event = fc.record({
  at: fc.nat(),
  by: text,
  act: fc.constantFrom("source.added" as const, "decision.approve" as const, "usage.batch" as const),
  subject: text,
  details: fc.dictionary(text, text, { maxKeys: 3 }),
});

async function chainOf(events: readonly (typeof event extends fc.Arbitrary<infer Event> ? Event : never)[]) {
  const records: AuditRecord[] = [];
  await recordEvents(auditOn(records), events);
  return records;
}

/** A chain as a store holds it: by the number of the record. */
function auditOn(records: AuditRecord[]): AuditWrites {
  const inOrder = () => records.toSorted((a, b) => a.seq - b.seq);
  return {
    auditHead: async () => inOrder().at(-1) ?? { seq: 0, hash: auditGenesis(store) },
    auditAfter: async (after, limit) =>
      inOrder()
        .filter(({ seq }) => seq > after)
        .slice(0, limit),
    insertAudit: async (added) => void records.push(...added),
    raiseGeneration: async () => 1,
  };
}

describe("RV-8: the audit chain", () => {
  const anyEvents = fc.array(event, { minLength: 2, maxLength: 8 });
  const fields = ["seq", "at", "by", "act", "subject", "details", "prev", "hash"] as const;

  async function firstFault(
    records: readonly AuditRecord[],
    whole: readonly AuditRecord[],
  ): Promise<number | undefined> {
    const known = whole.at(-1) ?? { seq: 0, hash: "" };
    return (await verifyChain(auditOn([...records]), store, known)).fault?.at.line;
  }

  function renumbered(record: AuditRecord, index: number): AuditRecord {
    return { ...record, seq: index + 1 };
  }

  test("that nobody touched has no fault", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, async (events) => {
        const chain = await chainOf(events);
        expect(await firstFault(chain, chain)).toBeUndefined();
      }),
    );
  });

  test("names the first record of which any field was changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEvents,
        fc.nat(),
        fc.constantFrom(...fields),
        text,
        fc.nat(),
        async (events, place, field, to, by) => {
          const chain = await chainOf(events);
          const at = place % chain.length;
          const record = chain[at] as AuditRecord;
          const isNumber = typeof record[field] === "number";
          const edited = {
            ...record,
            [field]: isNumber ? Number(record[field]) + by + 1 : `${to}${String(record[field])}x`,
          };
          const found = await firstFault(chain.with(at, edited), chain);
          // A record whose number was raised is missing where it was.
          expect(found).toBe(at + 1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("names the one after a record that was changed with its own hash", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, fc.nat(), async (events, place) => {
        const chain = await chainOf(events);
        const at = place % (chain.length - 1);
        const edited = { ...(chain[at] as AuditRecord), by: "somebody else" };
        expect(await firstFault(chain.with(at, { ...edited, hash: auditHash(edited) }), chain)).toBe(at + 2);
      }),
    );
  });

  test("names the first that was removed, or cut off with all after it", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, fc.nat(), async (events, place) => {
        const chain = await chainOf(events);
        const at = place % chain.length;
        expect(await firstFault(chain.toSpliced(at, 1), chain)).toBe(at + 1);
        expect(await firstFault(chain.slice(0, at), chain)).toBe(at + 1);
        // With those after it moved up, so that there is no gap.
        const closed = chain.toSpliced(at, 1).map(renumbered);
        expect(await firstFault(closed, chain)).toBe(at + 1);
      }),
    );
  });

  test("names the first of two that changed places, and one that was put between", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, fc.nat(), fc.nat(), event, async (events, one, other, added) => {
        const chain = await chainOf(events);
        const [from, to] = [one % chain.length, other % chain.length].toSorted((a, b) => a - b) as [number, number];
        const swapped = chain.with(from, { ...chain[to], seq: from + 1 } as AuditRecord);
        if (from !== to)
          expect(await firstFault(swapped.with(to, { ...chain[from], seq: to + 1 } as AuditRecord), chain)).toBe(
            from + 1,
          );
        const [strange] = await chainOf([added]);
        const inserted = chain.toSpliced(from, 0, strange as AuditRecord).map(renumbered);
        const found = await firstFault(inserted, chain);
        // As the first record it fits the beginning: then the one after it does not fit.
        expect(found).toBeLessThanOrEqual(from + 2);
        expect(found).toBeGreaterThan(from);
      }),
    );
  });

  test("names the record of the checkpoint when everything was computed anew", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvents, fc.nat(), text, async (events, place, to) => {
        const chain = await chainOf(events);
        const at = place % chain.length;
        const edited = events.map((each, index) =>
          index === at ? { ...each, subject: `${each.subject}${to}x` } : each,
        );
        expect(await firstFault(await chainOf(edited), chain)).toBe(chain.length);
      }),
    );
  });
});
