import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { limits } from "../../src/core/limits.ts";
import { isRefused } from "../../src/skill/faults.ts";
import type { Manifest } from "../../src/skill/manifest.ts";
import { checkName } from "../../src/skill/name.ts";

/** Any text that bytes can carry: every code point but halves of one. */
export const anyText = fc.string({ unit: "binary", maxLength: 80 });
/** Text that a header can carry: NUL is refused. */
const headerText = anyText.map((text) => text.replaceAll("\0", ""));
const trimmed = headerText.map((text) => text.trim()).filter((text) => text !== "");

/** SKILL.md files of every shape, honest and not. */
export const ownDocuments: readonly string[] = [
  `---
name: tide-table
description: Reads tide tables: high water, low water, and the hour between. Use when a boat must leave.
license: "MIT"
compatibility: needs a clock # and water
metadata:
  kind: tool
  version: 1.10
  triggers: 'low water, high water'
allowed-tools: Bash(tide *), Read
inputs: [harbour, date]
hooks:
  before:
    - run: echo ready
paths: |
  charts/*.csv,
  tables/**
---

# Tides

Run \`scripts/tide.py\`, then !\`date\`. See [the table](references/table.md).
---
<!-- not a header -->
`,
  "\uFEFF---\r\nname: no\r\ndescription: >-\r\n  Folded\r\n  over lines\r\n---\r\n\r\nBody\r\n",
  "---\rname: x\rdescription: 'it''s'\r---\rBody\r",
  "# No header at all\n\n---\nname: late\n---\n",
  "---\nname: &a x\nother: *a\n<<: {b: c}\nt: !!str y\n? [k]\n: v\n---\n",
  '---\n"a\\e[31m\\u202e": 1\n"a\\e[31m\\u202e": 2\n---\n',
  '---\nname: "\\u202e\\e[2J"\nkind: "\\e[31m"\n"\\e[31m": x\ninputs: {"\\e": x}\nmetadata: {"\\e[31m": [x]}\n---\n',
];

function readAll(folder: string, name: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(name)).map((file) => readFileSync(`${folder}/${file}`));
}

const examples = fileURLToPath(new URL("../../examples/skills", import.meta.url));
const documents = [...ownDocuments.map((text) => Buffer.from(text)), ...readAll(examples, "SKILL.md")];
const hostileScopes = ['"\\e[31m": x\n', '"\\e[31m": x\n"\\e[31m": y\n', "allowed_tools: ['*']\nname: x\n"];
const scopes = [...hostileScopes.map((text) => Buffer.from(text)), ...readAll(examples, "scope.yaml")];

export const hostilePath = fc.oneof(
  anyText,
  fc.constantFrom("../x", "/x", "a\\b", "C:/x", "a//b", "a/./b", "A/b", "a/B", "\u00e9", "e\u0301", "a.", "a\0b", ""),
  fc.constantFrom("SKILL.md", "scope.yaml", "contract.js", "skill.md", "x/SKILL.md", "\x1b[31m", "\ud800"),
);

const lineShards = "---\n|\n---\n|---|----\n| ---\n|\uFEFF|\r|\r\n|\n|...\n|%TAG ! x\n|\u2028|\x85|\0|\t| ".split("|");
const yamlShards = ": ;# ;- ;&a ;*a;!!x ;!<x> ;<<: ;? ;|;>+9;';\";[;];{;};\\;\\u{;~;null;__proto__: ;name: ".split(";");
const shards = [...lineShards, ...yamlShards, '"\\e[31m"', '"\\e": ', '"\\ud800": ', "\u{E0041}"];

/** Text of the pieces that YAML gives a meaning to. */
export const yamlLike = fc
  .array(
    fc.oneof(fc.constantFrom(...shards), fc.string({ maxLength: 8 }), fc.string({ unit: "binary", maxLength: 4 })),
    {
      maxLength: 24,
    },
  )
  .map((pieces) => pieces.join(""));

type Bend = (bytes: Buffer) => Buffer;

function at(bytes: Buffer, place: number): number {
  return Math.floor(place * bytes.length);
}

function insert(bytes: Buffer, place: number, piece: Uint8Array): Buffer {
  const index = at(bytes, place);
  return Buffer.concat([bytes.subarray(0, index), piece, bytes.subarray(index)]);
}

function flip(bytes: Buffer, place: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = Math.min(at(bytes, place), bytes.length - 1);
  if (index >= 0) copy.writeUInt8(copy.readUInt8(index) ^ mask, index);
  return copy;
}

/** One change somewhere in a document; places are fractions, so that they fit a document of any length. */
function bend(others: readonly Buffer[]): fc.Arbitrary<Bend> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const bends: fc.Arbitrary<Bend>[] = [
    place.map((end) => (bytes) => bytes.subarray(0, at(bytes, end))),
    place.map((start) => (bytes) => bytes.subarray(at(bytes, start))),
    fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(
      ([where, mask]) =>
        (bytes) =>
          flip(bytes, where, mask),
    ),
    fc.tuple(place, fc.constantFrom(...shards)).map(
      ([where, shard]) =>
        (bytes) =>
          insert(bytes, where, Buffer.from(shard)),
    ),
    fc.tuple(place, place).map(
      ([where, from]) =>
        (bytes) =>
          insert(bytes, where, bytes.subarray(at(bytes, from))),
    ),
    // A later start than end repeats what lies between them, an earlier one leaves it out.
    fc.tuple(place, place).map(([end, start]) => (bytes) => {
      return Buffer.concat([bytes.subarray(0, at(bytes, end)), bytes.subarray(at(bytes, start))]);
    }),
    fc.tuple(place, place, fc.constantFrom(...others)).map(([end, start, other]) => (bytes) => {
      return Buffer.concat([bytes.subarray(0, at(bytes, end)), other.subarray(at(other, start))]);
    }),
  ];
  return fc.oneof(...bends);
}

function bent(sources: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const bends = fc.array(bend(sources), { maxLength: 4 });
  return fc.tuple(fc.constantFrom(...sources), bends).map(([source, all]) => {
    return all.reduce((bytes, change) => change(bytes), source);
  });
}

/** Documents that were cut, doubled, spliced and bent. */
export const bentDocument = bent(documents);

export const bentScope: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
  yamlLike.map((text) => Buffer.from(text)),
  bent(scopes),
);

/** Fields as authors write them, each valid and each with something that a careless repair would change. */
const otherField = fc.constantFrom<(key: string) => string[]>(
  (key) => [`${key}: plain words`],
  (key) => [`${key}: 1.10`],
  (key) => [`${key}: no`],
  (key) => [`${key}:`],
  (key) => [`${key}: https://example.org/a:b`],
  (key) => [`${key}: it's "quoted" inside`],
  (key) => [`${key}: "double: quoted"`],
  (key) => [`${key}: 'single: quoted, it''s'`],
  (key) => [`${key}: plain # a comment`],
  (key) => [`# about: ${key}`, `${key}: after a comment`],
  (key) => [`${key}: over`, "  two lines", "", "  and a gap"],
  (key) => [`${key}: [a, "b: c", {d: e}]`],
  (key) => [`${key}: {a: b, "c": 'd: e'}`],
  (key) => [`${key}: {a: b,`, "  c: d}"],
  (key) => [`${key}: "over: two`, '  lines: too"'],
  (key) => [`${key}:`, "  inner: value", "  other: 'x: y'"],
  (key) => [`${key}: # a comment: here`, "  inner: value"],
  (key) => [`${key}:`, "  - item", "  - a: b"],
  (key) => [`${key}:`, "- item", "- a: b"],
  (key) => [`${key}: |`, "  block: text", "", "  more: text"],
  (key) => [`${key}: >-`, "  folded: text", "  more: text"],
  (key) => [`"${key}": quoted key`],
);

/** The lines of some valid fields. */
export const otherFields = fc
  .array(otherField, { maxLength: 6 })
  .map((all) => all.map((make, index) => make(`field${index}`)));

const firstWord = fc.constantFrom("Use", "it's", "-x", "?x", "http://x", "é", "a,b", "x'", "~", "\\n", "<b>", "(a)");
const word = fc.constantFrom(
  "use",
  "it's",
  "when",
  '"quoted"',
  "http://x",
  "a,b",
  "[x]",
  "{y}",
  "-",
  "50%",
  "日本",
  "\\n",
  "&",
);
const words = fc.array(word, { minLength: 1, maxLength: 5 });

/** A field that YAML refuses for its colon, on its first line or further down, and the text its author wrote. */
export const brokenField = fc
  .tuple(firstWord, words, fc.array(words, { maxLength: 3 }), fc.nat())
  .map(([first, ...rest]) => {
    const [start, more, place] = rest;
    const rows = [[first, ...start], ...more];
    const colon = place % rows.length;
    const lines = rows.map((row, index) => (index === colon ? [...row, "this:", "x"] : row).join(" "));
    return { lines: [`broken: ${lines[0]}`, ...lines.slice(1).map((line) => `  ${line}`)], text: lines.join(" ") };
  });

const yamlWord = fc.constantFrom(
  ..."no null ~ 1.10 true 0x1f --- << *a &a !t ' \" | [ {".split(" "),
  "- a",
  "a: b",
  "# c",
);
const oddText = fc.constantFrom("over\ntwo lines", "a\r\nb", "tab\there", "a\u2028b", "a\x85b", "a\uFEFFb", "\uFFFE");
const text = fc.oneof(trimmed, yamlWord, oddText);
const untrimmed = fc.oneof(
  headerText.filter((each) => each.trim() !== ""),
  yamlWord,
  oddText,
  fc.constantFrom(" blanks around ", "\nlines around\n"),
);
const tool = fc.oneof(
  fc.constantFrom(
    "Read",
    "Bash(git add *)",
    "Bash(a, b)",
    "mcp__x__y",
    "Bash(f(x) g(y))",
    "a b",
    "a,b",
    "null",
    "(",
    ")",
  ),
  trimmed.filter((each) => Buffer.byteLength(each) <= limits.skill.workspace.toolBytes),
);
const wordList = fc.array(text, { maxLength: 4 });

const loadableName = fc
  .oneof(fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+){0,2}$/), fc.constantFrom("no", "1.10", "日本", "Größe", "a b"), text)
  .filter((name) => !isRefused(checkName(name, "sample", 1), "workspace"));

const metadataKey = fc.oneof(
  fc.constantFrom(..."kind inputs triggers aliases __proto__ constructor toString << 1".split(" "), "", "a: b"),
  fc.string({ unit: "binary", maxLength: 20 }).map((each) => each.replaceAll("\0", "")),
);
const metadataValue = fc.oneof(headerText, yamlWord, fc.constantFrom("tool", " host-knowledge ", "a, b", ""));
const metadata = fc.array(fc.tuple(metadataKey, metadataValue), { maxLength: 6 }).map((entries) => {
  const map: Record<string, string> = Object.create(null);
  for (const [key, value] of entries) map[key] = value;
  return map;
});

/** Manifests of the shapes that `parse` can give. */
export const manifest: fc.Arbitrary<Manifest> = fc
  .constantFrom("tool" as const, "host-knowledge" as const)
  .chain((kind) => {
    // SK-7: host knowledge carries no grants.
    const tools = kind === "tool" ? fc.option(fc.array(tool, { maxLength: 5 })) : fc.constant(null);
    return fc.record(
      {
        name: loadableName,
        description: fc.option(text.filter((each) => each === each.trim())),
        license: fc.option(untrimmed),
        compatibility: fc.option(untrimmed),
        metadata,
        kind: fc.constant(kind),
        allowedTools: tools,
        disallowedTools: tools,
        inputs: wordList,
        outputs: wordList,
        triggers: wordList,
        aliases: wordList,
        paths: wordList,
        modelInvocable: fc.boolean(),
        userInvocable: fc.boolean(),
      },
      { noNullPrototype: true },
    );
  });

const sly = "\u202e|\u200b|\u{E0041}|\ufeff|\x1b[31m|\n|\r|\t|\u2028|\u3164|\ud800|\udc00| |\u00a0|\u2800|\ue000".split(
  "|",
);

/** Text that wants to be shown as something else than it is. */
export const slyText = fc
  .array(fc.oneof(fc.constantFrom(...sly), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""));

/** Names without the iota below, which changes its place among other marks when it is capitalised. */
export const nameLike = fc
  .oneof(fc.string({ unit: "grapheme" }), anyText, fc.constantFrom("STRASSE", "ΟΔΟΣ", "ﬁne", "İx", "ǅ", "Å", "ﬃ"))
  .map((name) => name.normalize("NFD").replaceAll("\u0345", "").normalize("NFC"));
