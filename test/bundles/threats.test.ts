import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path/posix";
import { expect, test } from "vitest";

const page = "docs/security.md";
const begin = "<!-- tests by threat: written by `npx vitest run test/bundles/threats.test.ts -u` -->\n";
const end = "<!-- end of tests by threat -->\n";

/** The list is closed: each of these has a row, and a test that names it. */
const threats = Array.from({ length: 45 }, (_, at) => `T${at + 1}`);

/** Names of tests begin with what they show: `T37: …`, `SV-4, T37: …`, `T17 to T19: …`. */
const named = /["'`]((?:(?:[A-Z]{1,2}-?\d+|invariant \d+)(?:, | to | and )?)+: [^"'`\n]+)["'`]/g;

interface Named {
  readonly file: string;
  readonly name: string;
  readonly ids: ReadonlySet<string>;
}

async function namedTests(): Promise<Named[]> {
  const found: Named[] = [];
  for (const folder of ["src", "test"])
    for (const path of (await readdir(folder, { recursive: true })).toSorted()) {
      if (!path.endsWith(".test.ts") && !/store-contract\/.*\.ts$/.test(path)) continue;
      const text = await readFile(join(folder, path), "utf8");
      for (const [, name = ""] of text.matchAll(named))
        found.push({ file: basename(path), name, ids: idsIn(name.slice(0, name.indexOf(":"))) });
    }
  return found;
}

function idsIn(cited: string): ReadonlySet<string> {
  const ids = new Set(cited.match(/[A-Z]{1,2}-?\d+/g));
  for (const [, from, to] of cited.matchAll(/\bT(\d+) to T(\d+)/g))
    for (let at = Number(from); at <= Number(to); at++) ids.add(`T${at}`);
  return ids;
}

const mostShown = 5;

function rowOf(id: string, tests: readonly Named[]): string {
  const own = tests.filter(({ ids }) => ids.has(id));
  const files = new Map<string, Named[]>();
  for (const each of own) files.set(each.file, [...(files.get(each.file) ?? []), each]);
  const inOrder = [...files].toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const shown = inOrder.slice(0, mostShown).map(([file, some]) => `\`${file}\` (${some.length}): ${some[0]?.name}`);
  const more = inOrder.length - shown.length;
  const rest = more === 0 ? [] : [`and ${more} more ${more === 1 ? "file" : "files"}`];
  return `| ${id} | ${own.length} | ${[...shown, ...rest].map(cell).join("<br>")} |`;
}

/** As text: a name may hold what Markdown reads as something else. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

test("every threat has a test that names it, and docs/security.md lists them", async () => {
  const tests = await namedTests();
  const without = threats.filter((id) => !tests.some(({ ids }) => ids.has(id)));
  expect(without).toEqual([]);
  const table = ["| id | tests | where, with the first of each |", "|---|---|---|"];
  const rows = threats.map((id) => rowOf(id, tests));
  const text = await readFile(page, "utf8");
  const [before = "", after = ""] = [text.split(begin)[0], text.split(end)[1]];
  await expect(`${before}${begin}\n${[...table, ...rows].join("\n")}\n\n${end}${after}`).toMatchFileSnapshot(
    `../../${page}`,
  );
});
