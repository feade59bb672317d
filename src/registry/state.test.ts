import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { registryFolder } from "../../test/support/registry.ts";
import type { Source } from "../sources/schema.ts";
import { type OnChange, onChanges } from "../sources/source.ts";
import type { Word } from "./ledger/decision.ts";
import type { Entry, Presence } from "./entry.ts";
import { noCapabilities } from "../scan/capabilities.ts";
import type { Summary } from "./revision.ts";
import { createSnapshot, type RegistryFacts } from "./snapshot.ts";
import { type Facts, type Standing, type State, stateOf, states } from "./state.ts";
import type { BlockWord, Decision } from "./schema.ts";

/** What happened to one entry, in order. A letter is a revision. */
type Happening =
  | { readonly moves: string }
  | { readonly word: Word; readonly on: string; readonly by: string }
  | { readonly away: true };

const id = "skills:pdf";
const trust = "community";

/** The words as they would have been signed, and the entry as syncs would have left it. */
function livedThrough(story: readonly Happening[]): { entry: Entry; decisions: readonly Decision[] } {
  const decisions: Decision[] = [];
  let { current, awayAt } = emptyEntry;
  for (const each of story) {
    if ("moves" in each) current = each.moves;
    else if ("away" in each) awayAt = decisions.length;
    else decisions.push(decisionOf(each, current, decisions.length + 1));
  }
  return { entry: { ...emptyEntry, current, awayAt }, decisions };
}

const emptyEntry: Entry = {
  id,
  source: "skills",
  path: "pdf",
  present: true,
  awayAt: 0,
  current: "A",
  loading: "[]",
  seal: "",
  commit: null,
  repositoryId: 7,
};

function decisionOf({ word, on, by }: { word: Word; on: string; by: string }, current: string, seq: number): Decision {
  const overrides = word === "override" ? ["scan.high"] : [];
  const signed = { trust, grants: [], overrides, commit: null, repositoryId: 7, prev: "", at: 0, note: "" } as const;
  return { ...signed, word, entry: id, digest: on, current, seq, by };
}

interface Case {
  readonly entry: Entry;
  readonly decisions: readonly Decision[];
  readonly onChange: OnChange;
  readonly needed: 1 | 2;
  readonly blocks?: readonly Pick<BlockWord, "kind" | "value">[];
  /** The revisions that have a high finding. */
  readonly high?: readonly string[];
}

/** Through the snapshot, so that the block list and the findings come in as they do. */
function standingOf({ entry, decisions, onChange, needed, blocks = [], high = [] }: Case): Standing {
  const said = { word: "block", seq: 0, prev: "", by: "ada", at: 0, note: "malware" } as const;
  const facts: RegistryFacts = {
    generation: 1,
    sources: new Map([["skills", { id: "skills", trust, onChange } as Source]]),
    entries: new Map([[id, entry]]),
    summaries: new Map(["A", "B", "C"].map((digest) => [digest, summaryOf(high.includes(digest))])),
    loading: new Map(),
    ledger: {
      head: { seq: decisions.length, hash: "" },
      place: decisions.length,
      decisions: new Map([[id, decisions]]),
      digests: [],
      blocks: new Map(blocks.map((block) => [`${block.kind}:${block.value}`, { ...said, ...block }])),
      findings: [],
    },
    findings: [],
  };
  const people = { untrusted: needed, community: needed, verified: needed, first_party: needed };
  const snapshot = createSnapshot(facts, people);
  const standing = snapshot.standings.get(id);
  if (standing === undefined) throw new Error("no standing");
  expect(snapshot.usable.get(id)?.digest ?? null).toBe(standing.inUse);
  return standing;
}

function summaryOf(isHigh: boolean): Summary {
  const finding = { code: "scan.high", level: "high", message: "", at: { file: "SKILL.md", line: 1 } } as const;
  const findings = isHigh ? [finding] : [];
  const shown = { name: "pdf", description: "", kind: null, strict: true, support: "full", grants: [] } as const;
  return { ...shown, loadable: true, findings, capabilities: noCapabilities, scanner: "" };
}

/**
 * RV-1 read again, sentence by sentence and without looking at the code: every revision is asked whether a person's
 * word keeps it in use, where the code looks for the one word that does.
 */
function byTheSpecification(
  presence: Presence,
  story: readonly Happening[],
  { onChange, needed, ...rest }: Case,
): State {
  // "`orphaned` (absent)"
  if (presence === "absent") return "orphaned";
  const said = story.filter((each) => "word" in each && each.word !== "override") as readonly Spoken[];
  const latest = said.at(-1);
  const current = story.reduce((now, each) => ("moves" in each ? each.moves : now), "A");
  const inUse = ["A", "B", "C"].find((revision) => isKeptInUse(revision, current, story, onChange, needed)) ?? null;
  // "`blocked` (block list, or a high finding of the digest in use without an override)"
  const asked = inUse ?? current;
  if (rest.blocks?.some(({ kind, value }) => kind !== "digest" || value === asked)) return "blocked";
  const isLifted = story.some((each) => "word" in each && each.word === "override" && each.on === asked);
  if (rest.high?.includes(asked) && !isLifted) return "blocked";
  // "`new` (no word yet)"
  if (latest === undefined) return "new";
  // "`disabled` (latest word is reject or disable, and no earlier revision is in use)"
  const isEarlierInUse = inUse !== null && inUse !== current;
  if ((latest.word === "reject" || latest.word === "disable") && !isEarlierInUse) return "disabled";
  // "`held` (an approved revision other than the current one is in use)"
  if (isEarlierInUse) return "held";
  // "`pending` (…)"; "`enabled`"
  return inUse === null ? "pending" : "enabled";
}

type Spoken = Extract<Happening, { word: Word }>;

function isKeptInUse(
  revision: string,
  current: string,
  story: readonly Happening[],
  onChange: OnChange,
  needed: number,
): boolean {
  // "`back` = absent at some time after the latest word": nothing that was said before counts.
  const since = story.slice(story.findLastIndex((each) => "away" in each) + 1);
  const words = since.filter((each) => "word" in each && each.word !== "override") as readonly Spoken[];
  const isWhole = (at: number, on: string) => {
    const [before, word] = [words[at - 1], words[at]];
    if (word?.word !== "approve" || word.on !== on) return false;
    // "two approves of one digest by different people, nothing between"
    return needed === 1 || (before?.word === "approve" && before.on === on && before.by !== word.by);
  };
  const wholes = words.flatMap((word, at) => (isWhole(at, word.on) ? [at] : []));
  const at = wholes.findLast((each) => words[each]?.on === revision);
  if (at === undefined || wholes.some((other) => other > at)) return false;
  // A reject takes back its own digest, a disable everything.
  const later = words.slice(at + 1);
  if (later.some(({ word, on }) => word === "disable" || (word === "reject" && on === revision))) return false;
  // "`on_change: hold`, or a person approved an older kept revision"
  const before = story.slice(0, story.indexOf(words[at] as Spoken));
  const currentThen = before.reduce((now, each) => ("moves" in each ? each.moves : now), "A");
  return revision === current || onChange === "hold" || currentThen !== revision;
}

const speakers: readonly Pick<Spoken, "word" | "by">[] = [
  { word: "approve", by: "ada" },
  { word: "approve", by: "bob" },
  { word: "reject", by: "ada" },
  { word: "disable", by: "ada" },
];

/** No word, and every sequence of up to three: the latest one, and what came before it. */
function everyHistory(length = 3): readonly (readonly (typeof speakers)[number][])[] {
  if (length === 0) return [[]];
  const shorter = everyHistory(length - 1);
  const longest = shorter.filter((words) => words.length === length - 1);
  return [...shorter, ...longest.flatMap((words) => speakers.map((speaker) => words.concat(speaker)))];
}

function about(revision: string, words: readonly (typeof speakers)[number][]): Happening[] {
  return words.map(({ word, by }) => ({ word, by, on: revision }));
}

const digests: Readonly<Record<string, (words: readonly (typeof speakers)[number][]) => readonly Happening[]>> = {
  same: (words) => about("A", words),
  moved: (words) => [...about("A", words), { moves: "B" }],
  "moved before the last word": (words) => [
    ...about("A", words.slice(0, -1)),
    { moves: "B" },
    ...about("B", words.slice(-1)),
  ],
  "moved and back": (words) => [...about("A", words), { moves: "B" }, { moves: "A" }],
  "rolled back": (words) => [{ moves: "B" }, ...about("A", words)],
  "rolled back, then moved": (words) => [{ moves: "B" }, ...about("A", words), { moves: "C" }],
};

const blockings: Readonly<Record<string, Pick<Case, "blocks" | "high"> & { override?: string }>> = {
  none: {},
  "by the digest A": { blocks: [{ kind: "digest", value: "A" }] },
  "by the digest B": { blocks: [{ kind: "digest", value: "B" }] },
  "by entry": { blocks: [{ kind: "entry", value: id }] },
  "by source": { blocks: [{ kind: "source", value: "skills" }] },
  "by repository": { blocks: [{ kind: "repository", value: "7" }] },
  "by a high finding of A": { high: ["A"] },
  "by a high finding of B": { high: ["B"] },
  "a finding of A, overridden": { high: ["A"], override: "A" },
  "a finding of A, overridden on B": { high: ["A"], override: "B" },
};

const presences: Readonly<Record<Presence, (story: readonly Happening[]) => readonly Happening[]>> = {
  present: (story) => story,
  absent: (story) => [...story, { away: true }],
  back: (story) => [...story, { away: true }],
};

describe("RV-1: every combination", () => {
  test("of presence, words, digest, block, on_change and people asked for has the state that the text gives it", () => {
    const seen = new Map<State, number>();
    const wrong: string[] = [];
    for (const [row, presence, story, asked] of everyCase()) {
      const wanted = byTheSpecification(presence, story, asked);
      const { state, inUse } = standingOf(asked);
      seen.set(state, (seen.get(state) ?? 0) + 1);
      if (state !== wanted) wrong.push(`${row}: ${state}, wanted ${wanted}`);
      if ((inUse !== null) !== (state === "enabled" || state === "held")) wrong.push(`${row}: ${state} uses ${inUse}`);
    }
    expect(wrong).toEqual([]);
    expect([...seen.keys()].toSorted()).toEqual([...states].toSorted());
  });
});

function* everyCase(): Generator<[row: string, Presence, readonly Happening[], Case]> {
  for (const words of everyHistory())
    for (const [digest, told] of Object.entries(digests))
      for (const presence of ["present", "absent", "back"] as const)
        for (const [block, { override, ...blocking }] of Object.entries(blockings))
          for (const onChange of onChanges)
            for (const needed of [1, 2] as const) {
              const lifted: Happening[] = override === undefined ? [] : [{ word: "override", on: override, by: "ada" }];
              const story = presences[presence]([...told(words), ...lifted]);
              const lived = livedThrough(story);
              const entry = { ...lived.entry, present: presence !== "absent" };
              const shown = words.map(({ word, by }) => `${word} by ${by}`).join(", ") || "no word";
              const row = [presence, shown, digest, block, onChange, needed].join(" | ");
              yield [row, presence, story, { ...blocking, entry, decisions: lived.decisions, onChange, needed }];
            }
}

/**
 * A story in short, and the state it ends in with `on_change: disable` and `hold`, for one person and for two.
 * A capital letter: the source has this revision now (it begins with A). `+a` ada approves what is current, `-a` rejects,
 * `0a` disables, `!a` overrides its finding; `b` is bob; `+aA` is about the revision A instead. `~` it is gone and back.
 * H before the story: the revision A has a high finding; HB: the revision B has.
 */
const told = `
story          | disable 1 | disable 2 | hold 1   | hold 2   | why
               | new       | new       | new      | new      | nobody has said a word
B              | new       | new       | new      | new      | nobody has said a word on anything
+a             | enabled   | pending   | enabled  | pending  | one word is enough, or half of what is asked for
+a +b          | enabled   | enabled   | enabled  | enabled  | two people
+a +a          | enabled   | pending   | enabled  | pending  | twice the same person is one person
+a -b +b       | enabled   | pending   | enabled  | pending  | something between
+a !a +b       | enabled   | enabled   | enabled  | enabled  | an override is no word between
+a +b +a       | enabled   | enabled   | enabled  | enabled  | it was whole already
-a             | disabled  | disabled  | disabled | disabled | rejected
0a             | disabled  | disabled  | disabled | disabled | switched off
+a +b -a       | disabled  | disabled  | disabled | disabled | the latest word counts
+a +b 0a       | disabled  | disabled  | disabled | disabled | the latest word counts
-a +a +b       | enabled   | enabled   | enabled  | enabled  | the latest word counts
0a +a +b       | enabled   | enabled   | enabled  | enabled  | the latest word counts
+a +b 0a +a    | enabled   | pending   | enabled  | pending  | after a disable the two begin again
+a B           | pending   | pending   | held     | pending  | the digest moved
+a +b B        | pending   | pending   | held     | held     | the digest moved
+a +b B A      | enabled   | enabled   | enabled  | enabled  | and came back to the approved bytes
+a +b B +a     | enabled   | pending   | enabled  | held     | the new one is approved by one
+a +b B +a +b  | enabled   | enabled   | enabled  | enabled  | by both
+a B +b        | enabled   | pending   | enabled  | pending  | two people, but not of one digest
+a +b B -a     | disabled  | disabled  | held     | held     | the new one is rejected, the old one stays under hold
+a +b B -a C   | disabled  | disabled  | held     | held     | no word on C; the latest word is still the reject
+a +b B -a A   | disabled  | disabled  | disabled | disabled | with a reject as the latest word nothing current is used
+a +b B 0a     | disabled  | disabled  | disabled | disabled | a disable takes everything back
+a +b B -aA    | disabled  | disabled  | disabled | disabled | the revision in use is the one that is rejected
B +aA          | held      | pending   | held     | pending  | one person rolls back
B +aA +bA      | held      | held      | held     | held     | two people roll back
B +aA +bA C    | held      | held      | held     | held     | a rollback stays whatever comes
B +aA +bA A    | enabled   | enabled   | enabled  | enabled  | until the source has it too
B +aA +bA -a   | held      | held      | held     | held     | rejecting what waits leaves the rollback
B +aA +bA -aA  | disabled  | disabled  | disabled | disabled | rejecting the rollback ends it
+a +b B +aA    | held      | held      | held     | held     | bob's word on A, then ada's: two people, nothing between
+a +b B +b +aA | held      | pending   | held     | held     | something between: under hold the first two still count
+a +b ~        | pending   | pending   | pending  | pending  | it was away since
+a +b ~ B      | pending   | pending   | pending  | pending  | it was away since, and moved
+a +b ~ +a     | enabled   | pending   | enabled  | pending  | one of two words is older than its absence
+a ~ +b        | enabled   | pending   | enabled  | pending  | one of two words is older than its absence
+a +b ~ +a +b  | enabled   | enabled   | enabled  | enabled  | decided again
+a +b ~ !a     | pending   | pending   | pending  | pending  | an override is no approval
-a ~           | disabled  | disabled  | disabled | disabled | the latest word is a reject, away or not
0a ~           | disabled  | disabled  | disabled | disabled | the latest word is a disable, away or not
~              | new       | new       | new      | new      | away before the first word
+a +b B ~      | pending   | pending   | pending  | pending  | hold keeps nothing that was away
B +aA +bA ~    | pending   | pending   | pending  | pending  | nor does a rollback
H              | blocked   | blocked   | blocked  | blocked  | a high finding, no word
H !a           | new       | new       | new      | new      | lifted; an override is no word
H !a +a +b     | enabled   | enabled   | enabled  | enabled  | lifted and approved
H +a +b        | blocked   | blocked   | blocked  | blocked  | approved, not lifted
H +a +b B      | pending   | pending   | blocked  | blocked  | the finding is of A, which hold keeps in use
H B !aB A      | blocked   | blocked   | blocked  | blocked  | an override of another digest lifts nothing
HB +a +b B     | blocked   | blocked   | held     | held     | what waits does not block what is in use
HB +a +b B !a  | pending   | pending   | held     | held     | lifted, and still to be approved
`;

const rows = told
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));

describe("RV-1: stories", () => {
  test.each(rows)("%s: %s, %s; under hold %s, %s: %s", (story, disable1, disable2, hold1, hold2) => {
    const [flag = "", ...tokens] = ` ${story}`.replace(/^ (HB?)\b/, "$1").split(/ +/);
    const high = flag === "HB" ? ["B"] : flag === "H" ? ["A"] : [];
    const lived = livedThrough(happenings(tokens.filter((token) => token !== "")));
    const ends = (onChange: OnChange, needed: 1 | 2) => standingOf({ ...lived, onChange, needed, high }).state;
    const ended = [ends("disable", 1), ends("disable", 2), ends("hold", 1), ends("hold", 2)];
    expect(ended).toEqual([disable1, disable2, hold1, hold2]);
  });

  const word = { "+": "approve", "-": "reject", "0": "disable", "!": "override" } as const;
  const who = { a: "ada", b: "bob" } as const;

  function happenings(tokens: readonly string[]): Happening[] {
    let current = "A";
    return tokens.map((token): Happening => {
      if (token === "~") return { away: true };
      if (/^[A-C]$/.test(token)) return { moves: (current = token) };
      const [sign, by, on = current] = token as unknown as [keyof typeof word, keyof typeof who, string?];
      return { word: word[sign], by: who[by], on };
    });
  }
});

describe("RV-1: an entry", () => {
  const lived = livedThrough([{ word: "approve", on: "A", by: "ada" }]);
  const approved: Case = { ...lived, onChange: "disable", needed: 1 };

  test("of a source that is gone is orphaned, whatever its row says", () => {
    const elsewhere = { ...approved, entry: { ...lived.entry, source: "removed" } };
    expect(standingOf(elsewhere).state).toBe("orphaned");
  });

  test("whose revision cannot be read is blocked, approved or not", () => {
    const unread = livedThrough([{ moves: "Z" }, { word: "approve", on: "Z", by: "ada" }]);
    expect(standingOf({ ...approved, ...unread })).toMatchObject({ state: "blocked" });
  });

  test.each<[string, readonly Happening[], Partial<Case>, string]>([
    ["that waits for a second person", [{ word: "approve", on: "A", by: "ada" }], { needed: 2 }, "second person"],
    [
      "whose rollback waits for a second person",
      [
        { word: "approve", on: "A", by: "ada" },
        { moves: "B" },
        { word: "approve", on: "B", by: "ada" },
        { word: "approve", on: "A", by: "ada" },
      ],
      { needed: 2 },
      "second person",
    ],
    ["that moved", [{ word: "approve", on: "A", by: "ada" }, { moves: "B" }], {}, "its bytes changed"],
    [
      "that moved after half an approval",
      [{ word: "approve", on: "A", by: "ada" }, { moves: "B" }],
      { needed: 2 },
      "its bytes changed",
    ],
    ["that was away", [{ word: "approve", on: "A", by: "ada" }, { away: true }], {}, "it was away"],
    ["that is blocked", [], { blocks: [{ kind: "source", value: "skills" }] }, "by its source: malware"],
    ["with a high finding", [], { high: ["A"] }, "a finding blocks it: scan.high"],
    ["that was rejected", [{ word: "reject", on: "A", by: "ada" }], {}, "reject"],
    ["that was disabled", [{ word: "disable", on: "A", by: "ada" }], {}, "switched off"],
  ])("%s says why", (_, story, more, why) => {
    expect(standingOf({ ...approved, ...livedThrough(story), ...more }).reason).toContain(why);
  });

  test("at a trust that asks for two is not enabled by one, whatever the other levels ask for", () => {
    const people = { untrusted: 1, community: 2, verified: 1, first_party: 1 } as const;
    const facts: Facts = {
      ...approved,
      decisionsNeeded: people,
      blockOf: () => undefined,
      blockingFindings: () => [],
    };
    expect(stateOf(facts).state).toBe("pending");
    const raised = lived.decisions.map((decision) => ({ ...decision, trust: "first_party" as const }));
    expect(stateOf({ ...facts, decisions: raised }).state).toBe("enabled");
  });

  test("is not blocked with all of a kind that have no repository", () => {
    const local = { ...approved, entry: { ...lived.entry, repositoryId: null } };
    expect(standingOf({ ...local, blocks: [{ kind: "repository", value: "null" }] }).state).toBe("enabled");
  });
});

describe("RV-1: no stored flag can disagree", () => {
  test("no table has a column for a state, and an entry's row only says what was seen", async () => {
    const folder = registryFolder();
    await folder.open();
    const tables = folder.sql("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
    const columnsOf = (table: string) => folder.sql(`PRAGMA table_info(${table})`).map(({ name }) => String(name));
    const flags = /state|status|standing|enabled|usable|approved|pending|held|block|orphan|active/;
    expect(tables.flatMap(columnsOf).filter((column) => flags.test(column))).toEqual([]);
    const seen = ["away_at", "commit_id", "current", "id", "loading", "path", "present", "repository_id", "source"];
    expect(columnsOf("entries").toSorted()).toEqual([...seen, "generation", "seal"].toSorted());
  });

  test("no store writes the word of a state", () => {
    const store = sourcesIn("src/store").map((path) => readFileSync(path, "utf8"));
    for (const state of states) expect(store.filter((text) => text.includes(`"${state}"`))).toEqual([]);
  });

  test("only stateOf says that an entry may be used, and only the snapshot asks it", () => {
    const using = (pattern: RegExp) => sourcesIn("src").filter((path) => pattern.test(readFileSync(path, "utf8")));
    expect(using(/standing\(\s*"(?:enabled|held)"/)).toEqual(["src/registry/state.ts"]);
    expect(using(/\bstateOf\(/).toSorted()).toEqual(["src/registry/snapshot.ts", "src/registry/state.ts"]);
    expect(using(/\busable\.set\(/)).toEqual(["src/registry/snapshot.ts"]);
  });

  function sourcesIn(folder: string): string[] {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return files
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .map((path) => `${folder}/${path}`);
  }
});
