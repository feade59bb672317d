import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const page = readFileSync("docs/web.md", "utf8");

/** `| what | keys |`, the keys without their quotes. */
function rowsOf(heading: string): (readonly [string, string])[] {
  const [, table = ""] = page.split(`${heading}\n|---|---|\n`);
  const rows = table.split("\n\n", 1)[0]?.split("\n") ?? [];
  return rows.map((row) => row.slice(2, -2).replaceAll("`", "").split(" | ")).map(([a = "", b = ""]) => [a, b]);
}

describe("SV-3: docs/web.md", () => {
  test("SV-3: has every page of the frame, in its order and under its keys", () => {
    const frame = readFileSync("web/ui/shell.tsx", "utf8");
    const items = [...frame.matchAll(/\{ page: "\w*", title: "([^"]+)", icon: "\w+", key: "(.)"/g)];
    expect(items.length).toBeGreaterThan(10);
    expect(rowsOf("| page | keys |")).toEqual(items.map(([, title, key]) => [title, `g ${key}`]));
  });

  test("SV-3: has every key of the review, and no other", () => {
    const doings = readFileSync("web/review/doings.tsx", "utf8");
    const keys = [...doings.matchAll(/byKey\("(.)"|\bkey: "(.)"/g)].map(([, moves, decides]) => moves ?? decides ?? "");
    const written = rowsOf("| key | does |").flatMap(([names]) => names.split(", "));
    expect(written.toSorted()).toEqual(keys.toSorted());
  });
});
