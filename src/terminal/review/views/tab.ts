import { areasOf, type ReviewState, type Size } from "../state.ts";
import { type Block, block, type Body, createBody, gap } from "../body.ts";
import { hang, line, rule, span } from "../../line.ts";
import { placeOf } from "../../wording.ts";
import { diffBlocks } from "./diff.ts";
import { factsOf } from "./facts.ts";
import { findingsBlocks } from "./findings.ts";
import { infoBlocks } from "./info.ts";
import { rawBlocks } from "./raw.ts";

/** All that the chosen tab shows, for a screen of this size. */
export function bodyOf(review: Omit<ReviewState, "body">, size: Size): Body {
  const { text, hasFacts } = areasOf(size);
  const shown: ReviewState = { ...review, body: createBody([]) };
  const isReading = review.tab === "diff" || review.tab === "raw";
  const facts = hasFacts || !isReading ? [] : factBlocks(shown, text);
  return createBody([...facts, ...tamperingBlocks(shown, text), ...tabBlocks(shown, text)]);
}

function tabBlocks(review: ReviewState, columns: number): readonly Block[] {
  switch (review.tab) {
    case "diff":
      return diffBlocks(review, columns);
    case "raw":
      return rawBlocks(review, columns);
    case "findings":
      return findingsBlocks(review, columns);
    case "info":
      return infoBlocks(review.view, columns);
  }
}

function factBlocks({ view }: ReviewState, columns: number): Block[] {
  const rows = factsOf(view).map(({ label, value }) =>
    block(hang(line(label.padEnd(10), "dim"), line(" ".repeat(10)), value, columns)),
  );
  return [...rows, gap];
}

/** Before everything else: what follows is then not what came in. */
function tamperingBlocks({ view: { revision, diff } }: ReviewState, columns: number): Block[] {
  const messages = new Set(
    [...revision.tampering, ...diff.tampering].map((each) => `${placeOf(each)}: ${each.message}`),
  );
  if (messages.size === 0) return [];
  const rows = [...messages].map((message) => block(hang([span("  ")], [span("  ")], line(message, "red"), columns)));
  return [block([rule("Changed by hand: not what came in", columns, "red", "bold")]), ...rows, gap];
}
