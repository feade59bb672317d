import { fit, hang, line, type Line, prose, rule, span, wrap } from "../../line.ts";
import type { Ask, Plan, ReviewState, State } from "../state.ts";
import { cellsOf } from "../../width.ts";
import { lookOf, plural } from "../../wording.ts";
import { liftedIn, short } from "../words.ts";

/** A question, as it stands over the lower part of the screen. */
export interface Panel {
  readonly lines: readonly Line[];
  /** The keys that answer it. */
  readonly keys: string;
}

type Asked = Exclude<Ask, { readonly kind: "help" }>;

export function renderAsk({ size: { columns, rows }, review, queue }: State, ask: Asked): Panel {
  const { title, lines, keys } = panelOf(ask, { columns: columns - 4, review, items: queue?.items.length ?? 0 });
  // The question itself stands first, so what is too much is left out at the end, and said.
  const room = Math.max(2, rows - 5);
  const cut = lines.length > room ? [...lines.slice(0, room - 1), line("… i shows all of it", "dim")] : lines;
  return { lines: [rule(title, columns, "bold", "yellow"), ...cut.map((spans) => line("  ").concat(spans))], keys };
}

interface Around {
  readonly columns: number;
  readonly review: ReviewState | null;
  readonly items: number;
}

interface Question {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly keys: string;
}

function panelOf(ask: Asked, around: Around): Question {
  const { columns } = around;
  switch (ask.kind) {
    case "filter":
      return { title: "filter", lines: [fieldOf(ask.field, columns)], keys: "Enter keep  Esc show all" };
    case "search":
      return { title: "look for", lines: [fieldOf(ask.field, columns)], keys: "Enter go there  Esc stop looking" };
    case "note":
      return {
        title: "reject",
        lines: [
          ...prose("Why? It is kept with the decision; it may be left empty.", columns),
          fieldOf(ask.field, columns),
        ],
        keys: "Enter go on  Esc not now",
      };
    case "clean":
      return { title: "approve what is clean", lines: cleanLines(ask, columns), keys: "y approve them  n no" };
    case "digests":
      return { title: "digests", lines: digestLines(around), keys: "any key closes" };
    case "blocked":
      return { title: "approve", lines: blockedLines(ask.codes, columns), keys: "o override  Esc not now" };
    case "codes":
      return { title: "override", lines: codeLines(ask, around), keys: "Space pick  Enter go on  Esc not now" };
    case "reason":
      return {
        title: `override ${ask.picked.join(", ")}`,
        lines: [...prose("The reason, which is signed with it:", columns), fieldOf(ask.field, columns)],
        keys: "Enter go on  Esc not now",
      };
    case "then":
      return thenOf(ask, columns);
    case "grants":
      return { title: "approve", lines: grantLines(around), keys: "t with its tools  w without  Esc not now" };
    case "confirm":
      return { title: ask.plan.saying.act, lines: confirmLines(ask.plan, columns), keys: "y yes, sign it  n no" };
  }
}

/** The end of what was typed, where the next letter goes. */
function fieldOf(text: string, columns: number): Line {
  const characters = Array.from(text);
  let [start, left] = [characters.length, columns - 4];
  for (; start > 0 && left > 0; start--) left -= cellsOf(characters[start - 1] ?? "");
  const tail = characters.slice(left < 0 ? start + 1 : start).join("");
  return [span("> ", "bold"), span(`${tail.length < text.length ? "…" : ""}${tail}`), span("_", "bold")];
}

function cleanLines({ count, more }: Extract<Asked, { kind: "clean" }>, columns: number): Line[] {
  const others =
    more === 0 ? "" : ` Those of the ${more} others that are not listed here are approved too if they are clean.`;
  return [
    ...prose(`approve ${plural(count, "clean entry", "clean entries")}? y/n`, columns, "bold"),
    ...prose(
      `They are new or changed, and nothing above low was found in them. What could not be analysed as a whole is left out; the filter does not matter. The tools that they ask for are pre-approved.${others}`,
      columns,
    ),
  ];
}

function digestLines({ review, columns }: Around): Line[] {
  if (review === null) return [];
  const { revision, diff, inUse } = review.view;
  const told: [string, string][] = [["these bytes", revision.digest]];
  if (diff.from !== null) told.push([`compared with, ${diff.from.is}`, diff.from.digest]);
  else if (inUse !== null) told.push(["in use", inUse]);
  return told.flatMap(([what, digest]) => [line(what, "dim")].concat(wrap(line(digest, "bold"), columns)));
}

function blockedLines(codes: readonly string[], columns: number): Line[] {
  return [
    ...prose(`${codes.join(", ")} ${codes.length === 1 ? "blocks" : "block"} it.`, columns, "red", "bold"),
    ...prose("It can be approved only when somebody overrides that with a reason, which is signed.", columns),
  ];
}

function codeLines({ codes, cursor, picked }: Extract<Asked, { kind: "codes" }>, { review, columns }: Around): Line[] {
  const lifted = review === null ? new Set<string>() : liftedIn(review.view);
  const first = Math.max(0, cursor - 3);
  return [
    ...prose("Which findings are overridden, on these bytes only?", columns),
    ...codes.slice(first, first + 4).map((code, index): Line => {
      const isChosen = first + index === cursor;
      const about = review?.findings.filter((finding) => finding.code === code) ?? [];
      const times = about.length > 1 ? ` × ${about.length}` : "";
      return [
        span(`${isChosen ? "▸" : " "} [${picked.includes(code) ? "x" : " "}] `, "bold"),
        span(`${about[0]?.level ?? ""} `, ...lookOf(about[0]?.level ?? "high")),
        span(code, "bold"),
        span(`${times}${lifted.has(code) ? "  overridden already" : ""}  ${about[0]?.message ?? ""}`, "dim"),
      ];
    }),
  ];
}

function thenOf({ draft, stillOpen }: Extract<Asked, { kind: "then" }>, columns: number): Question {
  const what = [
    ...prose(`override ${draft.overrides.join(", ")}`, columns, "bold"),
    ...prose(`because: ${draft.reason}`, columns),
  ];
  if (stillOpen.length === 0)
    return { title: "override", lines: what, keys: "a and approve  o only override  Esc not now" };
  const left = prose(`It stays blocked by ${stillOpen.join(", ")}.`, columns, "yellow");
  return { title: "override", lines: [...what, ...left], keys: "o only override  Esc not now" };
}

function grantLines({ review, columns }: Around): Line[] {
  const grants = review?.view.revision.grants ?? [];
  return [
    ...prose(
      `It asks to have ${plural(grants.length, "tool")} pre-approved: nobody is asked when it uses them.`,
      columns,
    ),
    ...hang(line("  "), line("  "), line(grants.join(", "), "yellow", "bold"), columns),
  ];
}

/** Whatever it is called, the digest and the question stand on the screen. */
const longestName = 48;

function confirmLines({ name, entry, saying, details }: Plan, columns: number): Line[] {
  const shown = fit(line(name), longestName)
    .map(({ text }) => text)
    .join("");
  return [
    ...prose(`${saying.act} ${shown} @ ${short(saying.digest)}? y/n`, columns, "bold"),
    // One long detail must not push out the others; the tabs show all of it.
    ...[...details, entry].flatMap((told) => hang(line("  "), line("  "), fit(line(told), 3 * columns - 8), columns)),
  ];
}
