import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { blobId, type Child, type ProvenTree, type TreeEntry, treeId } from "./git.ts";
import { assemble, proveFolder, proveTree } from "./prove-tree.ts";

/** Text: a file. Pairs: a folder, which unlike an object can have a name twice, or any name at all. */
type Content = string | readonly (readonly [name: string, content: Content])[];

interface Made {
  readonly id: string;
  readonly listing: readonly TreeEntry[];
}

/** A folder and its recursive listing, as an honest service has it. */
function make(content: Content): Made {
  if (typeof content === "string") return { id: blobId(Buffer.from(content)), listing: [] };
  const listing: TreeEntry[] = [];
  const children = content.map(([name, inside]) => {
    const { id, listing: below } = make(inside);
    const [mode, size] = typeof inside === "string" ? ["100644", inside.length] : ["040000", null];
    listing.push({ path: name, mode, id, size });
    for (const entry of below) listing.push(moved(entry, `${name}/${entry.path}`));
    return { name, mode, id };
  });
  return { id: treeId(children), listing };
}

function moved(entry: TreeEntry, path: string): TreeEntry {
  return { ...entry, path };
}

const skill: Content = [
  ["SKILL.md", "a skill"],
  ["scripts", [["run.sh", "echo"]]],
];
const usual: Content = [
  ["README.md", "readme"],
  ["skills", [["one", skill]]],
];

function pathsOf(tree: ProvenTree): string[] {
  return [...tree.entries.keys()];
}

/** The message of the mismatch, which is the only way to fail. */
function refusal(prove: () => unknown): string {
  try {
    prove();
  } catch (error) {
    if (error instanceof AppError && error.code === "digest.mismatch") return error.message;
    throw error;
  }
  return "proven";
}

const notHashing = /its names do not hash to its id/;
const impossible = /a name, mode or id that git cannot have/;
const orphaned = /listed below something else than a folder/;

/** The listing with one entry changed, or more put behind it. */
function tampered(made: Made, path: string, change: Partial<TreeEntry>, ...more: readonly TreeEntry[]): Made {
  const listing = made.listing.map((entry) => (entry.path === path ? { ...entry, ...change } : entry));
  return { id: made.id, listing: [...listing, ...more] };
}

function proving({ id, listing }: Made): string {
  return refusal(() => proveTree(id, listing));
}

const file: TreeEntry = { path: "more", mode: "100644", id: blobId(Buffer.from("")), size: 0 };

describe("IN-8: a listing is proven from the root down", () => {
  test("an honest one, in any order; what is proven is in byte order", () => {
    const { id, listing } = make(usual);
    const tree = proveTree(id, listing.toReversed());
    expect(tree.id).toBe(id);
    expect(pathsOf(tree)).toEqual([
      "README.md",
      "skills",
      "skills/one",
      "skills/one/SKILL.md",
      "skills/one/scripts",
      "skills/one/scripts/run.sh",
    ]);
    expect(tree.entries.get("README.md")).toEqual(listing[0]);
    expect(tree.unknown).toEqual([]);
  });

  test("the order is that of bytes, not of UTF-16 and not of git's folders", () => {
    const { id, listing } = make([
      ["\u{1F600}", "astral"],
      ["\uFF5E", "high"],
      ["a", [["b", "in a folder"]]],
      ["a.b", "a file"],
    ]);
    expect(pathsOf(proveTree(id, listing))).toEqual(["a", "a.b", "a/b", "\uFF5E", "\u{1F600}"]);
  });

  test("an empty tree, an empty folder, and a folder whose listing is missing", () => {
    expect(proveTree("4b825dc642cb6eb9a060e54bf8d69288fbee4904", []).entries.size).toBe(0);
    expect(proving(make([["empty", []]]))).toBe("proven");
    const { id, listing } = make(usual);
    expect(refusal(() => proveTree(id, []))).toMatch(/^the root folder/);
    expect(
      refusal(() =>
        proveTree(
          id,
          listing.filter(({ path }) => path !== "skills/one/scripts/run.sh"),
        ),
      ),
    ).toMatch(/^the folder "skills\/one\/scripts" .* hash/);
  });

  test("names that objects have by themselves, and unsafe ones, are names like others", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty", "..", ".", "a\\b", "C:", "x ", "con", "\u202e"];
    const { id, listing } = make(names.map((name) => [name, [["toString", name]]] as const));
    expect(pathsOf(proveTree(id, listing)).toSorted()).toEqual(listing.map(({ path }) => path).toSorted());
  });
});

describe("T13: whatever does not hash is a mismatch", () => {
  const made = make(usual);

  test("an id, a mode, a name or a size of names that is another, named by the folder it is in", () => {
    const other = blobId(Buffer.from("other"));
    expect(proving(tampered(made, "skills/one/SKILL.md", { id: other }))).toMatch(/^the folder "skills\/one" .* hash/);
    expect(proving(tampered(made, "README.md", { mode: "100755" }))).toMatch(/^the root folder .* hash/);
    expect(proving(tampered(made, "README.md", { path: "README.mD" }))).toMatch(notHashing);
    expect(proving(tampered(made, "", {}, file))).toMatch(/^the root folder .* hash/);
    expect(proving(tampered(made, "", {}, { ...file, path: "skills/one/more" }))).toMatch(notHashing);
  });

  test("another root, and a folder swapped for a file", () => {
    expect(refusal(() => proveTree(make(skill).id, made.listing))).toMatch(notHashing);
    expect(proving(tampered(made, "skills", { mode: "100644" }))).toMatch(notHashing);
    expect(proving(tampered(made, "README.md", { mode: "040000" }))).toMatch(notHashing);
  });

  test("an entry twice: as listed, and even where the bytes of the tree have it", () => {
    const [readme] = made.listing;
    expect(proving(tampered(made, "", {}, readme ?? file))).toMatch(notHashing);
    expect(
      proving(
        make([
          ["twice", "a"],
          ["twice", "b"],
        ]),
      ),
    ).toMatch(/lists a name twice/);
  });

  test("an entry below a file, below a submodule, or below what is not listed", () => {
    for (const path of ["README.md/x", "none/x", "none/at/all", "skills/one/SKILL.md/x"])
      expect(proving(tampered(made, "", {}, { ...file, path }))).toMatch(orphaned);
    const id = treeId([{ name: "module", mode: "160000", id: made.id }]);
    const module: TreeEntry = { path: "module", mode: "160000", id: made.id, size: null };
    expect(refusal(() => proveTree(id, [module]))).toBe("proven");
    expect(refusal(() => proveTree(id, [module, { ...file, path: "module/x" }]))).toMatch(orphaned);
  });

  test("paths that have an empty name", () => {
    for (const path of ["", "/", "/README.md", "skills/", "skills//one", "//"])
      expect(proving(tampered(made, "", {}, { ...file, path }))).toMatch(impossible);
    expect(proving(make([["", "empty"]]))).toMatch(impossible);
    expect(proving(tampered(made, "README.md", { path: "/README.md" }))).toMatch(impossible);
  });

  test("absurd modes and ids, also such that would be the same bytes", () => {
    for (const mode of ["", "40000", "644", "100644 x", "0100644", "10064x", "-00644", "١٠٠٦٤٤", "100648"])
      expect(proving(tampered(made, "README.md", { mode }))).toMatch(impossible);
    for (const id of ["", "zz".repeat(20), "A".repeat(40), "a".repeat(39), "a".repeat(64)])
      expect(proving(tampered(made, "README.md", { id }))).toMatch(impossible);
  });

  test("two entries told as one with a NUL in its name: the bytes are the same, the listing is not", () => {
    const inner = "61".repeat(20);
    const outer = "62".repeat(20);
    const names = [
      { name: "a", mode: "100644", id: inner },
      { name: "b", mode: "100644", id: outer },
    ];
    const swallowed = `a\0${"a".repeat(20)}100644 b`;
    expect(treeId([{ name: swallowed, mode: "100644", id: outer }])).toBe(treeId(names));
    expect(refusal(() => proveTree(treeId(names), [{ ...file, path: swallowed, id: outer }]))).toMatch(impossible);
  });

  test("half a character, which is hashed as another one", () => {
    const { id } = make([["\ufffd", "x"]]);
    expect(refusal(() => proveTree(id, [{ ...file, path: "\ud800", id: blobId(Buffer.from("x")) }]))).toMatch(
      impossible,
    );
  });

  test("SK-13: nothing hostile is in the message", () => {
    const message = proving(tampered(made, "", {}, { ...file, path: `\u202e\n\u001b[2J${"x".repeat(5000)}/y` }));
    expect(message).toMatch(/^the folder "\\u\{202e\}\\u\{a\}\\u\{1b\}/);
    expect(message.length).toBeLessThan(400);
  });
});

describe("IN-10: what cannot be known is unknown, not empty and not wrong", () => {
  /** As JSON has it: the real name is not UTF-8, so that the folder has another id than its listing hashes to. */
  function withUnnameable(path: string, content: Content): Made {
    const made = make(content);
    const real = `${path}\ufffd`;
    return { ...made, listing: made.listing.map((each) => moved(each, each.path.replace(path, real))) };
  }

  test("a folder with a name that is not UTF-8, and all that is below it", () => {
    const made = withUnnameable("odd/inner/name", [
      ["fine", skill],
      [
        "odd",
        [
          ["file", "x"],
          [
            "inner",
            [
              ["name", [["deep", [["er", "y"]]]]],
              ["next", skill],
            ],
          ],
        ],
      ],
    ]);
    const tree = proveTree(made.id, made.listing);
    expect(tree.unknown).toEqual(["odd/inner"]);
    expect(pathsOf(tree).filter((path) => path.startsWith("odd"))).toEqual(["odd", "odd/file", "odd/inner"]);
    expect(tree.entries.has("fine/scripts/run.sh")).toBe(true);
  });

  test("two such names that came out the same", () => {
    const { id, listing } = make([
      [
        "odd",
        [
          ["1", [["x", "x"]]],
          ["2", [["x", "x"]]],
        ],
      ],
    ]);
    const merged = listing.map((each) => moved(each, each.path.replace(/[12]/, "\ufffd")));
    expect(proveTree(id, merged).unknown).toEqual(["odd"]);
  });

  test("a name that really is U+FFFD is proven", () => {
    const { id, listing } = make([["odd", [["\ufffd", "x"]]]]);
    expect(proveTree(id, listing)).toMatchObject({ unknown: [] });
  });

  test("in the root nothing can be proven, and the message says why", () => {
    expect(proving(withUnnameable("name", [["name", "x"]]))).toMatch(/^the root folder .* not UTF-8/);
  });

  test("it excuses no other folder, and nothing that lies outside of all folders", () => {
    const made = withUnnameable("odd/name", [
      ["odd", [["name", "x"]]],
      ["fine", skill],
    ]);
    expect(proving(made)).toBe("proven");
    expect(proving(tampered(made, "fine/SKILL.md", { mode: "100755" }))).toMatch(/"fine"/);
    expect(proving(tampered(made, "odd", { id: make(skill).id }))).toMatch(/^the root folder/);
    expect(proving(tampered(made, "", {}, { ...file, path: "odd/none/x" }))).toMatch(orphaned);
  });
});

describe("IN-10: a tree in parts", () => {
  const whole = make(usual);
  const own = (made: Made) => made.listing.filter(({ path }) => !path.includes("/"));
  const skills = make([["one", skill]]);

  test("parts put together are the tree; what is not given stays unknown", () => {
    const root = proveFolder(whole.id, own(whole));
    expect(root.unknown).toEqual(["skills"]);
    const flat = proveFolder(skills.id, own(skills), "skills");
    expect(assemble(root, [["skills", flat]]).unknown).toEqual(["skills/one"]);
    const deep = proveTree(make(skill).id, make(skill).listing, "skills/one");
    const tree = assemble(root, [
      ["skills", flat],
      ["skills/one", deep],
    ]);
    expect(tree).toEqual(proveTree(whole.id, whole.listing));
    expect(pathsOf(tree)).toEqual(pathsOf(proveTree(whole.id, whole.listing)));
  });

  test("T13: a listing of one folder alone is held to its id, and to be that of one folder", () => {
    expect(refusal(() => proveFolder(skills.id, own(make(skill)), "skills"))).toMatch(/^the folder "skills" .* hash/);
    expect(refusal(() => proveFolder(whole.id, whole.listing))).toMatch(orphaned);
  });

  test("T13: a part of another folder, at another place, twice, or before the one it is in", () => {
    const root = proveFolder(whole.id, own(whole));
    const part = proveTree(skills.id, skills.listing, "skills");
    const other = proveTree(make(skill).id, make(skill).listing, "skills");
    const mismatching: Parameters<typeof assemble>[1][] = [
      [["skills", other]],
      [["README.md", part]],
      [["none", part]],
      [["", root]],
      [
        ["skills", part],
        ["skills", part],
      ],
      [
        ["skills/one", other],
        ["skills", part],
      ],
    ];
    for (const parts of mismatching) expect(refusal(() => assemble(root, parts))).toMatch(/another folder/);
  });

  test("a part with a name that is not UTF-8 stays unknown", () => {
    const listing = [{ ...file, path: "odd\ufffd" }];
    const root = proveFolder(whole.id, own(whole));
    for (const prove of [proveFolder, proveTree]) {
      const part = prove(skills.id, listing, "skills");
      expect(assemble(root, [["skills", part]])).toEqual(root);
    }
  });
});

describe("T7: size", () => {
  const { id: emptyFile } = make("");

  function files(count: number): Child[] {
    return Array.from({ length: count }, (_, at) => ({ name: `file-${at}`, mode: "100644", id: emptyFile }));
  }

  function entriesOf(children: readonly Child[], above = ""): TreeEntry[] {
    return children.map(({ name, mode, id }) => ({ path: above + name, mode, id, size: null }));
  }

  test("200,000 entries in one folder", () => {
    const wide = files(200_000);
    expect(proveTree(treeId(wide), entriesOf(wide)).entries.size).toBe(200_000);
  });

  test("200,000 entries in 2,000 folders", () => {
    const inside = files(99);
    const id = treeId(inside);
    const folders = Array.from({ length: 2000 }, (_, at) => ({ name: `folder-${at}`, mode: "040000", id }));
    const below = folders.flatMap(({ name }) => entriesOf(inside, `${name}/`));
    expect(proveTree(treeId(folders), entriesOf(folders).concat(below)).entries.size).toBe(200_000);
  });

  test("2,000 folders in each other, and 150,000 that are not looked into", () => {
    const emptyFolder = treeId([]);
    let id = emptyFolder;
    const nested = Array.from({ length: 2000 }, (_, at) => {
      const entry = {
        path: Array(2000 - at)
          .fill("d")
          .join("/"),
        mode: "040000",
        id,
        size: null,
      };
      id = treeId([{ name: "d", mode: "040000", id }]);
      return entry;
    });
    expect(proveTree(id, nested).entries.size).toBe(2000);
    const folders = Array.from({ length: 150_000 }, (_, at) => ({ name: `d${at}`, mode: "040000", id: emptyFolder }));
    expect(proveFolder(treeId(folders), entriesOf(folders)).unknown).toHaveLength(150_000);
  });
});
