import { areasOf, listed, type ReviewState, type State, type Tab, tabs } from "../state.ts";
import { windowOf } from "../body.ts";
import type { Opened } from "../desk.ts";
import { cellsIn, fit, line, type Line, rule, span, spread } from "../../line.ts";
import { plural } from "../../wording.ts";
import { openIn, short } from "../words.ts";
import { factsOf } from "./facts.ts";

/** One entry, above the foot. */
export function renderReview(state: State, review: ReviewState): Line[] {
  const { columns } = state.size;
  const { isLow, hasFacts, body } = areasOf(state.size);
  const { view } = review;
  return [
    titleOf(state, view, columns),
    ...(hasFacts
      ? factsOf(view).map(({ label, value }) => fit([span(` ${label.padEnd(10)}`, "dim"), ...value], columns))
      : []),
    tabsOf(review, columns),
    ...(isLow ? [] : [rule("", columns)]),
    ...bodyRows(review, body, columns),
    ...(isLow ? [] : [rule(positionOf(review, body), columns, "dim")]),
  ];
}

function titleOf({ queue }: State, { entry, name, revision }: Opened, columns: number): Line {
  const entries = listed(queue);
  const at = entries.findIndex((each) => each.entry === entry);
  const where = at < 0 ? "" : ` · ${at + 1} of ${entries.length}`;
  return spread(
    [span(` ${name}`, "reverse", "bold"), span(`  ${entry}`, "reverse")],
    [span(` ${short(revision.digest)}${where} `, "reverse")],
    columns,
    "reverse",
  );
}

const keys: Readonly<Record<Tab, string>> = { diff: "d", raw: "w", findings: "f", info: "i" };

/** The chosen one stands in brackets, so that no colour is needed to see it. */
function tabsOf(review: ReviewState, columns: number): Line {
  const open = openIn(review.view).length;
  const blocking = open === 0 ? "" : ` ▲ ${plural(open, "finding")} block${open === 1 ? "s" : ""} `;
  const [all, brief] = [tabSpans(review, countOf), tabSpans(review, () => "")];
  if (cellsIn(all) + blocking.length <= columns) return spread(all, line(blocking, "red", "bold"), columns);
  return spread(brief, line(open === 0 ? "" : `▲ ${open}`, "red", "bold"), columns);
}

function tabSpans(review: ReviewState, count: (tab: Tab, review: ReviewState) => string): Line {
  return tabs.map((tab) => {
    const text = `${keys[tab]} ${tab}${count(tab, review)}`;
    return tab === review.tab ? span(`[${text}]`, "bold", "cyan") : span(` ${text} `);
  });
}

function countOf(tab: Tab, { view: { diff }, findings }: ReviewState): string {
  if (tab === "findings") return ` ${findings.length}`;
  if (tab !== "diff" || diff.files.length === 0) return "";
  const sum = (of: "added" | "removed") => diff.files.reduce((total, file) => total + file[of], 0);
  return ` +${sum("added")} -${sum("removed")}`;
}

function bodyRows({ body, top, mark }: ReviewState, height: number, columns: number): Line[] {
  const rows = windowOf(body, top, height).map((spans, index) =>
    fit([mark === top + index ? span("▸", "bold", "cyan") : span(" "), ...spans], columns),
  );
  return [...rows, ...Array.from({ length: height - rows.length }, (): Line => [])];
}

function positionOf({ body, top, search }: ReviewState, height: number): string {
  const end = Math.min(body.height, top + height);
  const looking = search === "" ? "" : ` · /${search}`;
  if (body.height <= height) return `all of it${looking}`;
  return `${top + 1}-${end} of ${body.height} · ${Math.round((end / body.height) * 100)}%${looking}`;
}
