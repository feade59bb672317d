/** What has to become of a hostile header. */
type Expectation = "refused" | "plain-data" | "text" | "string" | "repaired" | "accepted";

export interface HostileCase {
  readonly id: string;
  readonly clause: string;
  readonly expect: Expectation;
  /** The YAML between the fences; for `text` and for a file with its own line ends, the whole file. */
  readonly header: string;
  readonly isWholeFile?: true;
  /** Refused by the reader itself, not only by a bound in bytes: the code it gives when the header may be large. */
  readonly code?: string;
}

/** Headers that have broken, blocked or taken over a YAML reader somewhere, each as the smallest attack of its kind. */
export const hostileCases: readonly HostileCase[] = [
  { id: "alias-bomb", clause: "T20", expect: "refused", code: "yaml.anchor", header: aliasBomb(9, 9) },
  { id: "single-alias", clause: "T20", expect: "refused", code: "yaml.anchor", header: "first: &word 7\nname: *word" },
  {
    id: "merge-key",
    clause: "T21",
    expect: "refused",
    code: "yaml.merge",
    header: "<<: { name: merged }\ndescription: Brought in from elsewhere.",
  },
  {
    id: "proto-key",
    clause: "T21",
    expect: "plain-data",
    header: "__proto__: { polluted: 1 }\nname: plain\ndescription: A key like any other.",
  },
  {
    id: "constructor-key",
    clause: "T21",
    expect: "plain-data",
    header: "constructor: { prototype: { polluted: 1 } }\nname: plain\ndescription: A key like any other.",
  },
  {
    id: "function-tag",
    clause: "T20",
    expect: "refused",
    code: "yaml.tag",
    header: 'name: !!js/function "() => (globalThis.taken = true)"\ndescription: Makes code.',
  },
  {
    id: "object-tag",
    clause: "T20",
    expect: "refused",
    code: "yaml.tag",
    header: 'name: !!python/object/apply:os.system ["true"]\ndescription: Calls a function.',
  },
  {
    id: "duplicate-key",
    clause: "SK-4",
    expect: "refused",
    code: "yaml.duplicate",
    header: "name: shown\nname: used\ndescription: Two readers, two names.",
  },
  {
    id: "deep-flow",
    clause: "T20",
    expect: "refused",
    code: "yaml.depth",
    header: `name: ${"[".repeat(5000)}${"]".repeat(5000)}`,
  },
  { id: "deep-complex-key", clause: "T20", expect: "refused", code: "yaml.depth", header: `${"? ".repeat(400)}deep` },
  { id: "deep-block", clause: "T20", expect: "refused", code: "yaml.depth", header: deepBlock(300) },
  { id: "huge-scalar", clause: "SK-3", expect: "refused", header: `name: ${"x".repeat(70_000)}` },
  { id: "many-keys", clause: "T20", expect: "refused", code: "yaml.nodes", header: manyKeys(20_000) },
  {
    id: "two-documents",
    clause: "T20",
    expect: "refused",
    code: "yaml.documents",
    header: "name: first\n---\nname: second",
  },
  {
    id: "engine-after-fence",
    clause: "T22",
    expect: "text",
    header: "---js\n{ name: (globalThis.taken = true) }\n---\n",
    isWholeFile: true,
  },
  { id: "words-like-booleans", clause: "SK-4", expect: "string", header: "name: no\ndescription: on" },
  {
    id: "version-like-number",
    clause: "SK-4",
    expect: "string",
    header: "name: plain\ndescription: Keeps its zero.\nmetadata: { version: 1.10 }",
  },
  {
    id: "unquoted-colon",
    clause: "SK-4",
    expect: "repaired",
    header: "name: plain\ndescription: Reach for it: whenever it rains",
  },
  {
    id: "nul-escape",
    clause: "SK-4",
    expect: "refused",
    code: "yaml.nul",
    header: 'name: "cut\\0off"\ndescription: Ends early in other languages.',
  },
  {
    id: "mark-and-crlf",
    clause: "SK-1",
    expect: "accepted",
    header: "\uFEFF---\r\nname: plain\r\ndescription: From another editor.\r\n---\r\nBody.\r\n",
    isWholeFile: true,
  },
  { id: "cycle", clause: "T20", expect: "refused", code: "yaml.anchor", header: "name: &self [*self]" },
  {
    id: "binary-tag",
    clause: "T20",
    expect: "refused",
    code: "yaml.tag",
    header: "name: !!binary cGxhaW4=\ndescription: Bytes in disguise.",
  },
  {
    id: "name-as-path",
    clause: "SK-13",
    expect: "refused",
    code: "name.path",
    header: "name: ../../outside/file\ndescription: Climbs.",
  },
  {
    id: "name-of-two-scripts",
    clause: "SK-13",
    expect: "refused",
    code: "name.mixed-script",
    header: "name: de\u0440loy\ndescription: One letter is Cyrillic.",
  },
  {
    id: "markup-in-description",
    clause: "SK-4",
    expect: "accepted",
    header: 'name: plain\ndescription: "<img src=x onerror=alert(1)>"',
  },
];

/** The case as a SKILL.md. */
export function fileOf({ header, isWholeFile }: HostileCase): string {
  return isWholeFile === true ? header : `---\n${header}\n---\nBody.\n`;
}

/** Each level names the one before it `width` times: a few hundred bytes that stand for `width ** levels` values. */
function aliasBomb(levels: number, width: number): string {
  const rows = Array.from({ length: levels }, (_, level) => {
    const items = Array.from({ length: width }, () => (level === 0 ? "x" : `*b${level - 1}`));
    return `b${level}: &b${level} [${items.join(", ")}]`;
  });
  return rows.join("\n");
}

function deepBlock(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}k:`).join("\n");
}

function manyKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `key${index}: value`).join("\n");
}
