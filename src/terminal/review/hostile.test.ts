import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf, fakeDesk, finding, type Kept, noDiff, opened, piece } from "../../../test/support/review-desk.ts";
import { virtualTerminal } from "../../../test/review/virtual-terminal.ts";
import { AppError } from "../../core/error.ts";
import { reviewAtTerminal } from "./review.ts";

/** Everything that a skill, a source or an error message can say, in every place where it is shown. */
function hostileEntry(text: string, isChange: boolean): Kept {
  const file = `${text}.md`;
  const about = (line: number, level: "critical" | "low") =>
    finding({
      code: `code${text.slice(0, 20)}`,
      level,
      message: text,
      at: { file, line },
      excerpt: text,
      decoded: text,
    });
  const lines = [[piece(text), piece(text, { hidden: true, mark: "changed" })], []];
  const version = { digest: text, size: 3 };
  const view = opened(
    `pdf${text}`,
    {
      entry: `acme:${text}`,
      source: text,
      reason: text,
      inUse: text,
      provenance: {
        from: text,
        links: [
          { what: text, proven: true },
          { what: text, proven: false },
        ],
      },
      frontmatter: [{ field: text, value: text }],
      noticed: [about(1, "critical")],
      diff: {
        ...noDiff(`acme:${text}`, digestOf("a")),
        from: isChange ? { digest: digestOf("0"), is: "in use" } : null,
        fields: [{ field: text, before: text, after: text }],
        tools: { added: [text], removed: [text] },
        delta: [{ kind: "host", change: "added", what: text, at: { file, line: 1 } }],
        tampering: [about(1, "critical")],
        files: [
          {
            path: file,
            change: "renamed",
            from: text,
            before: version,
            after: version,
            shows: "bytes",
            hunks: [
              {
                lines: [
                  { kind: "added", before: null, after: 1, pieces: lines[0] ?? [] },
                  { kind: "removed", before: 1, after: null, pieces: lines[0] ?? [] },
                ],
              },
            ],
            added: 1,
            removed: 1,
            left: 4,
            notes: [text],
          },
        ],
      },
    },
    {
      name: text,
      description: text,
      grants: [text, text],
      findings: [about(1, "critical"), about(99, "low"), finding({ at: { file: text, line: 1 }, message: text })],
      capabilities: { secrets: [text], network: [text], shell: [text] },
      files: [{ path: file, digest: text, size: 5 }],
      inPrompts: { replaced: [{ path: text, line: 1 }], defused: [2] },
    },
  );
  const said = { seq: 1, prev: "", by: text, at: Number.MAX_VALUE, note: text, digest: text, current: text };
  const word = { word: "approve", entry: text, repositoryId: null, commit: text, trust: "community" } as const;
  return {
    view: { ...view, decisions: [{ ...said, ...word, grants: [text], overrides: [text] }] },
    raw: [
      { path: file, lines },
      { path: text, lines: null },
    ],
  };
}

/** Goes everywhere once. The screen throws at any byte that is neither printable nor a sequence of ours. */
const keys = (text: string) => Array.from(text);
const everywhere = [
  ...keys("?jz/"),
  "\u001b[200~\u001b[31m\u202e\u001b[201~",
  ...keys("\u0015\r\rwfjixd]][#z/a\r"),
  ...keys("ao j \r"),
  "because",
  ...keys("\ratyr"),
  "\u001b[200~of\u001b[201~",
  ...keys("\rnqqcn"),
];

const landmarks = [
  "keys",
  "filter",
  "[w raw]",
  "[f findings",
  "[i info]",
  "[d diff",
  "digests",
  "look for",
  "block it.",
  "Which findings",
  "The reason",
  "because: because",
  "pre-approved",
  "? y/n",
  "cannot: ",
  "It is kept with the decision",
];

async function tour(text: string, isChange: boolean, size: { columns: number; rows: number }) {
  const person = virtualTerminal(size);
  const desk = fakeDesk([hostileEntry(text, isChange)]);
  desk.fail("say", new AppError("review.refused", `cannot: ${text}`));
  const ends = reviewAtTerminal({ ...desk, why: () => text }, person.terminal);
  let seen = "";
  for (const key of everywhere) {
    await person.type(key);
    seen += person.screen.text().replace(/\s+/g, " ");
  }
  desk.fail("queue", new AppError("store.failed", text));
  await person.type("r", "\u0003");
  await ends;
  return { ...person, seen };
}

const hostile: readonly [string, string][] = [
  ["an escape sequence", "\u001b[2J\u001b]0;title\u0007\u001b[31m"],
  ["8-bit sequences", "\u009b2J\u0090q\u009c"],
  ["carriage returns and line breaks", "fine\r\nnot \u2028fine\u2029\u0085"],
  ["bidi overrides", "\u202etxt.exe\u202c\u2066\u2069"],
  ["zero-width characters", "pa\u200bss\u200dwo\ufeffrd\u2060"],
  ["tag characters and variation selectors", "a\u{e0041}\u{e007f}\ufe0f\u{e0100}"],
  ["wide characters", "日本語のテキスト😀✅한글".repeat(6)],
  ["marks that are piled up", `\u0336a${"\u0301".repeat(60)}`],
  ["marks that stand first", "\u20dd\u0336"],
  ["lone surrogates, private use, without a meaning", "\ud800x\udc00\ue000\u{2fffe}\uffff"],
  ["very much of it", "long \u001b[0m".repeat(400)],
  ["nothing", ""],
];

describe.each([
  [40, 12],
  [100, 30],
])("T28: nothing of a skill reaches a terminal of %ix%i raw", (columns, rows) => {
  test.each(hostile)("%s", async (_what, text) => {
    for (const isChange of [true, false]) {
      const { seen } = await tour(text, isChange, { columns, rows });
      // It was everywhere: help, list, every tab, every question, a refusal.
      for (const part of landmarks) expect(seen).toContain(part);
    }
  });
});

test("T28: whatever the text is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), fc.boolean(), async (text, isChange) => {
      const { screen } = await tour(text, isChange, { columns: 80, rows: 24 });
      expect(screen.modes.get("1049")).toBe(false);
    }),
    { numRuns: 10 },
  );
}, 120_000);
