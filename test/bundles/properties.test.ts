import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFileSet, type FileDigest, setDigest, sha256 } from "../../src/core/digest.ts";
import { levels } from "../../src/core/finding.ts";
import { limits, type Profile, profiles } from "../../src/core/limits.ts";
import { hasUnseen, nameKey, safeLine, safeName } from "../../src/core/text.ts";
import { type Bundle, createBundle } from "../../src/skill/bundle.ts";
import { isRefused } from "../../src/skill/faults.ts";
import { readFrontmatter } from "../../src/skill/frontmatter.ts";
import { splitTools } from "../../src/skill/manifest.ts";
import { renderManifest } from "../../src/skill/render-manifest.ts";
import { parse } from "../../src/skill/skill.ts";
import type { YamlMap, YamlNode } from "../../src/skill/yaml.ts";
import * as arbitrary from "./properties.ts";

function skillOf(file: string | Uint8Array): Bundle {
  return createBundle("sample", [["SKILL.md", Buffer.from(file)]]);
}

describe("parse, on any bytes (SK-1 to SK-16)", () => {
  it("answers random bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(bytes, (file) => {
        expect(complaints(skillOf(file))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("answers random text, with and without fences around it", () => {
    fc.assert(
      fc.property(arbitrary.yamlLike, arbitrary.anyText, (header, body) => {
        expect(complaints(skillOf(`${header}${body}`))).toEqual([]);
        expect(complaints(skillOf(`---\n${header}\n---\n${body}`))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("answers documents that were cut, doubled, spliced and bent", () => {
    fc.assert(
      fc.property(arbitrary.bentDocument, (file) => {
        expect(complaints(skillOf(file))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(arbitrary.ownDocuments.map((text) => [text.slice(0, 30), Buffer.from(text)] as const))(
    "answers %j cut at every byte",
    (_start, file) => {
      for (let end = 0; end <= file.length; end++) expect(complaints(skillOf(file.subarray(0, end)))).toEqual([]);
    },
  );

  it("answers bundles of any paths, folders of any name, and any scope.yaml", () => {
    const others = fc.array(fc.tuple(arbitrary.hostilePath, fc.uint8Array({ maxLength: 16 })), { maxLength: 12 });
    fc.assert(
      fc.property(arbitrary.anyText, others, arbitrary.bentScope, (folder, files, scope) => {
        const skill = ["SKILL.md", Buffer.from(arbitrary.ownDocuments[0] ?? "")] as const;
        expect(complaints(createBundle(folder, [skill, ["scope.yaml", scope], ...files]))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** What is wrong with the answers to a bundle: findings not fit to be shown, verdicts that contradict each other. */
function complaints(bundle: Bundle): string[] {
  return profiles.flatMap((profile) => complaintsIn(bundle, profile));
}

function complaintsIn(bundle: Bundle, profile: Profile): string[] {
  const { skill, passes, strict, findings } = parse(bundle, profile);
  const found: string[] = [];
  for (const { code, level, message, at } of findings) {
    if (!levels.includes(level) || !/^[a-z]+\.[a-z0-9-]+$/.test(code)) found.push(`odd finding ${code}, ${level}`);
    if (message === "" || message.length > 600) found.push(`${code}: a message of ${message.length} characters`);
    if (hasUnseen(message)) found.push(`${code}: a message with unseen characters: ${JSON.stringify(message)}`);
    if (!Number.isSafeInteger(at.line) || at.line < 1) found.push(`${code}: line ${at.line}`);
  }
  if (passes && skill === undefined) found.push(`passes ${profile} and cannot be loaded`);
  if (passes && isRefused(findings, profile)) found.push(`passes ${profile} and is refused in it`);
  if (skill !== undefined && skill.strict !== strict) found.push("two different strict verdicts");
  return found;
}

describe("the digest over a set of files (SK-12)", () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"));
  const file = fc.record({ path: arbitrary.anyText, digest: hash }, { noNullPrototype: true });
  const fileSet = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 12 });

  it("is over an encoding that can be read back as the set, so no two sets encode alike", () => {
    fc.assert(
      fc.property(fileSet, (files) => {
        expect(decode(encodeFileSet(files))).toEqual(inByteOrder(files));
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on the order in which files are found", () => {
    fc.assert(
      fc.property(fileSet, fc.nat(), (files, turn) => {
        const at = turn % (files.length + 1);
        const other = [...files.slice(at), ...files.slice(0, at).toReversed()];
        expect(setDigest(other)).toBe(setDigest(files));
      }),
    );
  });

  it("differs where a byte moves from one path to the next", () => {
    fc.assert(
      fc.property(fileSet, fileSet, (some, others) => {
        const isSame = isDeepStrictEqual(inByteOrder(some), inByteOrder(others));
        expect(Buffer.compare(encodeFileSet(some), encodeFileSet(others)) === 0).toBe(isSame);
      }),
    );
    expect(setDigest([{ path: "ab", digest: sha256(Buffer.of()) }])).not.toBe(
      setDigest([{ path: "a", digest: sha256(Buffer.of()) }]),
    );
  });

  it("is over each path of a bundle once", () => {
    const path = fc.constantFrom("SKILL.md", "a", "b/c", "b/d");
    const files = fc.array(fc.tuple(path, fc.uint8Array({ maxLength: 2 })), { maxLength: 6 });
    fc.assert(
      fc.property(files, (all) => {
        const paths = createBundle("sample", all).files.map((each) => each.path);
        expect(paths).toEqual([...new Set(paths)]);
      }),
    );
  });
});

function inByteOrder(files: readonly FileDigest[]): FileDigest[] {
  return files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Reads the encoding as its definition says, and nothing else. */
function decode(encoded: Uint8Array): FileDigest[] {
  const bytes = Buffer.from(encoded);
  const files: FileDigest[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4;
    const end = start + bytes.readUInt32BE(at);
    at = end + 32;
    files.push({ path: bytes.toString("utf8", start, end), digest: bytes.toString("hex", end, at) });
  }
  return files;
}

describe("the repair of an unquoted colon (SK-4)", () => {
  it("gives the field its author's text and leaves every other field as it was", () => {
    fc.assert(
      fc.property(arbitrary.otherFields, arbitrary.brokenField, fc.nat(), (fields, { lines, text }, place) => {
        const at = place % (fields.length + 1);
        const [before, after] = [fields.slice(0, at).flat(), fields.slice(at).flat()];
        const { codes, broken, others } = readRepaired([...before, ...lines, ...after].join("\n"));
        expect(codes).toEqual(["yaml.repaired"]);
        expect(broken).toMatchObject({ text });
        expect(others).toEqual(readRepaired([...before, ...after].join("\n")).others);
      }),
      { numRuns: 1500 },
    );
  });

  it("leaves a field as it was whose comment has a colon", () => {
    const { others } = readRepaired("license: MIT # see: LICENSE\nbroken: Use this: now");
    expect(others).toEqual([["license", { text: "MIT", plain: true }]]);
  });
});

interface Repaired {
  readonly codes: readonly string[];
  readonly broken: unknown;
  readonly others: readonly unknown[];
}

function readRepaired(header: string): Repaired {
  const { root, findings } = readFrontmatter(header, limits.skill.workspace);
  const entries = root === null || root === undefined ? [] : valuesOf(root);
  return {
    codes: findings.map(({ code }) => code),
    broken: entries.find(([key]) => key === "broken")?.[1],
    others: entries.filter(([key]) => key !== "broken"),
  };
}

/** A map's values without their lines, which a field above them moves. */
function valuesOf({ entries }: YamlMap): [key: string, value: unknown][] {
  return [...entries].map(([key, { value }]) => [key, valueOf(value)]);
}

function valueOf(node: YamlNode): unknown {
  if (node.kind === "scalar") return { text: node.text, plain: node.plain };
  return node.kind === "list" ? node.items.map(valueOf) : { map: valuesOf(node) };
}

describe("a manifest written and read (SK-14)", () => {
  it("is the same manifest", () => {
    fc.assert(
      fc.property(arbitrary.manifest, (written) => {
        const { skill } = parse(skillOf(`${renderManifest(written)}\nBody\n`), "workspace");
        expect(skill?.manifest).toEqual(written);
        // The matcher does not see prototypes, nor a key such as `__proto__`.
        expect(isDeepStrictEqual(skill?.manifest, written)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("text that is shown (SK-13)", () => {
  it("safeName is one line of at most 64 characters, hides nothing, and does not change when taken again", () => {
    fc.assert(
      fc.property(arbitrary.slyText, (name) => {
        const safe = safeName(name);
        expect(hiddenIn(safe)).toEqual([]);
        expect(Array.from(safe).length).toBeLessThanOrEqual(64);
        expect(safeName(safe)).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  it("safeLine is one line within its length and hides nothing", () => {
    fc.assert(
      fc.property(arbitrary.slyText, fc.integer({ min: 1, max: 200 }), (text, longest) => {
        const safe = safeLine(text, longest);
        expect(hiddenIn(safe)).toEqual([]);
        expect(Array.from(safe).length).toBeLessThanOrEqual(longest);
      }),
      { numRuns: 2000 },
    );
  });

  it("nameKey is one for every case and every Unicode form of a name", () => {
    fc.assert(
      fc.property(arbitrary.nameLike, (name) => {
        const forms = (["NFC", "NFD", "NFKC", "NFKD"] as const).map((form) => name.normalize(form));
        const keys = [name, ...forms, name.toUpperCase(), name.toLowerCase()].map(nameKey);
        expect(new Set(keys).size).toBe(1);
      }),
      { numRuns: 3000 },
    );
  });

  it("nameKey is one for ß, ẞ, ss and SS", () => {
    expect(new Set(["straße", "STRAẞE", "strasse", "STRASSE"].map(nameKey)).size).toBe(1);
  });

  it("nameKey is one for names that are shown alike", () => {
    fc.assert(
      fc.property(arbitrary.slyText, (name) => {
        const safe = safeName(name);
        fc.pre(!safe.endsWith("…"));
        expect(nameKey(name)).toBe(nameKey(safe));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Written out apart from the code it checks: controls, bidi, zero-width, tags, fillers, halves of characters. */
const hiddenRanges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe0fff],
];

function hiddenIn(text: string): string[] {
  return Array.from(text).filter((char) => {
    const code = char.codePointAt(0) ?? 0;
    return hiddenRanges.some(([from, to]) => code >= from && code <= to);
  });
}

describe("splitTools (SK-9)", () => {
  const plain = fc.stringMatching(/^[A-Za-z_*:./-]{1,12}$/);
  const inner = fc.stringMatching(/^[a-z ,*:-]{0,12}$/);
  const call = fc.tuple(plain, inner, inner, inner).map(([name, a, b, c]) => `${name}(${a}(${b})${c})`);
  const separator = fc.constantFrom(" ", ",", ", ", " , ", "\n", "\t", ",,", " ,\n");

  it("splits at commas and blanks, never inside parentheses", () => {
    const tools = fc.array(fc.tuple(fc.oneof(plain, call), separator), { maxLength: 8 });
    fc.assert(
      fc.property(tools, fc.option(separator, { nil: "" }), (all, lead) => {
        const text = lead + all.map(([name, after]) => name + after).join("");
        expect(splitTools(text)).toEqual(all.map(([name]) => name));
      }),
      { numRuns: 1000 },
    );
  });

  it("loses nothing of any text, and reads its own words, joined, as they are", () => {
    const marks = fc.constantFrom("(", ")", ",", " ", "Bash", "\u3000");
    const pieces = fc.array(fc.oneof(marks, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, (all) => {
        const tools = splitTools(all.join(""));
        expect(withoutSeparators(tools.join(""))).toBe(withoutSeparators(all.join("")));
        expect(splitTools(tools.join(" "))).toEqual(tools);
      }),
      { numRuns: 1000 },
    );
  });
});

function withoutSeparators(text: string): string {
  return text.replace(/[\s,]/g, "");
}

describe("the body (SK-6)", () => {
  const headers = [
    "",
    "\uFEFF",
    "---\nname: x\n---\n",
    "\uFEFF---\r\nname: x\r\n---\r\n",
    "---\rname: x\r---\r",
    "---\n---",
  ];
  const gaps = ["", "\n", "\n\n", " \t\r\n", "\v\f", "\u00a0", "\n\u2028"];

  it("is the end of the file byte for byte, and its checksum is over exactly those bytes", () => {
    const starts = fc.tuple(fc.constantFrom(...headers), fc.constantFrom(...gaps));
    const made = fc.tuple(starts, arbitrary.anyText).map(([start, rest]) => Buffer.from([...start, rest].join("")));
    fc.assert(
      fc.property(fc.oneof(made, arbitrary.bentDocument), (file) => {
        const { skill } = parse(skillOf(file), "workspace");
        fc.pre(skill !== undefined);
        expect(bodyIn(file, skill.body)).toEqual({ isEnd: true, checksum: skill.bodyChecksum });
        expect(skill.body).not.toMatch(/^[ \t\r\n\v\f]/);
      }),
      { numRuns: 2000 },
    );
  });

  it("is so when it starts with a byte order mark of its own", () => {
    const file = Buffer.from("---\nname: x\n---\n\uFEFFBody\n");
    const { skill } = parse(skillOf(file), "workspace");
    expect(bodyIn(file, skill?.body ?? "")).toEqual({ isEnd: true, checksum: skill?.bodyChecksum });
  });
});

function bodyIn(file: Buffer, body: string): { isEnd: boolean; checksum: string } {
  const bytes = Buffer.from(body);
  const end = file.subarray(file.length - bytes.length);
  return { isEnd: Buffer.compare(end, bytes) === 0, checksum: sha256(end) };
}
