import { capabilityKinds } from "../../../scan/capabilities.ts";
import { type Block, block, gap } from "../body.ts";
import type { Opened } from "../desk.ts";
import { hang, line, type Line, rule, span } from "../../line.ts";
import { placeOf } from "../../wording.ts";
import { short, sizeOf, when } from "../words.ts";

/** Everything else that is known of it: front-matter, files, provenance, the words so far (RV-4). */
export function infoBlocks(view: Opened, columns: number): readonly Block[] {
  const sections: readonly (readonly [string, readonly Line[]])[] = [
    ["Revision", revisionLines(view, columns)],
    [
      "Front-matter",
      rows(
        view.frontmatter.map(({ field, value }) => [field, value] as const),
        columns,
      ),
    ],
    ["Tools that it asks for", view.revision.grants.flatMap((tool) => item(line(tool), columns))],
    ["What it can reach", reachLines(view, columns)],
    ["Files", view.revision.files.flatMap((file) => fileLines(file, columns))],
    ["In a prompt", promptLines(view, columns)],
    ["Where it comes from", originLines(view, columns)],
    ["Decisions", view.decisions.flatMap((decision) => decisionLines(decision, columns))],
    [
      "Noticed in the registry",
      view.noticed.flatMap((each) =>
        item(line(`${each.level} ${each.code} ${placeOf(each)} ${each.message}`, "red"), columns),
      ),
    ],
  ];
  return sections.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [block([rule(title, columns, "bold")], { isStop: true }), block(lines), gap],
  );
}

function item(spans: Line, columns: number): Line[] {
  return hang(line("  "), line("    "), spans, columns - 2);
}

/** Names in one column, the values beside them, or below on a narrow screen. */
function rows(fields: readonly (readonly [name: string, value: string])[], columns: number): Line[] {
  const width = Math.min(16, Math.max(0, ...fields.map(([name]) => name.length)));
  return fields.flatMap(([name, value]) => {
    const lead = span(`  ${name.padEnd(width)}  `, "dim");
    if (name.length > width)
      return [...item(line(name, "dim"), columns), ...hang(line("    "), line("    "), line(value), columns)];
    return hang([lead], line(" ".repeat(width + 4)), line(value), columns);
  });
}

function revisionLines({ entry, revision, inUse, current, diff, trust }: Opened, columns: number): Line[] {
  const verdicts = [revision.loadable ? "loadable" : "not loadable", revision.strict ? "strict" : "not strict"];
  const kinds = [revision.kind, revision.support === null ? null : `${revision.support} support`];
  return rows(
    [
      ["entry", entry],
      ["name", revision.name],
      ["description", revision.description],
      ["digest", revision.digest],
      ["in use", inUse === null ? "nothing" : inUse === current ? "these bytes" : inUse],
      ["compared with", diff.from === null ? "nothing: never approved" : `${diff.from.digest} (${diff.from.is})`],
      ["verdicts", [...verdicts, ...kinds].filter((each) => each !== null).join(" · ")],
      ["trust", trust ?? "its source is gone"],
    ],
    columns,
  );
}

function reachLines({ revision: { capabilities } }: Opened, columns: number): Line[] {
  return rows(
    capabilityKinds.map((kind) => [kind, capabilities[kind].join(", ") || "none that was seen"] as const),
    columns,
  );
}

function fileLines({ path, size, digest }: Opened["revision"]["files"][number], columns: number): Line[] {
  return [
    ...item([span(path), span(`  ${sizeOf(size)}`, "cyan")], columns),
    ...hang(line("    "), line("    "), line(digest, "dim"), columns),
  ];
}

/** CO-5: what is approved is also how it is rendered. */
function promptLines({ revision: { inPrompts } }: Opened, columns: number): Line[] {
  const { replaced = [], defused = [] } = inPrompts ?? {};
  return [
    ...replaced.map(({ path, line: at }) => `line ${at} of the body: a note stands for the file ${path}`),
    ...defused.map((at) => `line ${at} of the body: text that reads like a marker is defused`),
  ].flatMap((told) => item(line(told), columns));
}

function originLines({ provenance: { from, links } }: Opened, columns: number): Line[] {
  const told = ({ what, proven }: (typeof links)[number]) =>
    proven ? line(`✓ ${what}`, "green") : line(`✗ not proven: ${what}`, "yellow");
  return [line(from), ...links.map(told)].flatMap((spans) => item(spans, columns));
}

function decisionLines(
  { at, by, word, digest, overrides, grants, note }: Opened["decisions"][number],
  columns: number,
): Line[] {
  const what = [word, overrides.join(", "), short(digest)].filter((each) => each !== "").join(" ");
  const tools = grants.length === 0 ? "" : `, with ${grants.join(", ")}`;
  const head = [span(`${when(at)}  `, "dim"), span(by, "bold"), span(`  ${what}${tools}`)];
  return [
    ...item(head, columns),
    ...(note === "" ? [] : hang(line("    “"), line("     "), line(`${note}”`), columns)),
  ];
}
