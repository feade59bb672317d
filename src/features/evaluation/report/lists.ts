import type {
  Confusion,
  Fire,
  Miss,
  RoutingReport,
  SkillQuality,
  Withheld,
} from "../../../routing/evaluation/report.ts";
import { html, type Markup, percent, shown } from "./html.ts";

const longestId = 160;
const longestQuery = 400;

/** Which skill was taken for which, and the words that pulled there. */
export function renderConfusions({ confusions }: RoutingReport): Markup {
  return renderList(
    "Taken for another",
    "expected → chosen, and the words of the queries that spoke for the chosen one",
    confusions,
    40,
    {
      heading: html`<th class="number">times</th><th class="half">pair</th><th>words that pulled</th>`,
      row: confusionRow,
    },
  );
}

function confusionRow({ expected, chosen, count, words, alike }: Confusion): Markup {
  return html`<tr><td class="number">${count}</td><td>${id(expected)} <span class="arrow">→</span> ${id(chosen)}</td><td>${alike ? html`<span class="soft">look-alikes</span>` : words.map((word) => html`<span class="word">${shown(word, 48)}</span>`)}</td></tr>`;
}

/** Positives whose right skill was not first. */
export function renderMisses({ misses }: RoutingReport): Markup {
  return renderList("Missed", "queries whose right skill was not first", misses, 200, {
    heading: html`<th class="query">query</th><th class="skill">expected</th><th>chosen, and why</th><th class="number">confidence</th>`,
    row: missRow,
  });
}

function missRow({ at, query, kind, expected, rank, chosen, confidence, why, abstained, alike }: Miss): Markup {
  return html`<tr><td>${shown(query, longestQuery)}<div class="soft small">${shown(at, 140)}${kind === null ? "" : `, ${shown(kind, 32)}`}</div></td>
<td>${ids(expected)}<div class="soft small">${rank === null ? "not found" : `at place ${rank}`}</div></td>
<td>${chosen === null ? html`<span class="soft">none</span>` : id(chosen)}<div class="soft small">${shown(why, 240)}${alike ? "; a look-alike of the right one" : ""}${abstained && chosen !== null ? "; below the floor, not given out" : ""}</div></td>
<td class="number">${confidence === null ? "–" : confidence.toFixed(2)}</td></tr>`;
}

/** Negatives that got a wrong skill. */
export function renderFires({ fires }: RoutingReport): Markup {
  return renderList("False fires", "queries that no skill, or not this one, should have answered", fires, 200, {
    heading: html`<th class="half">query</th><th>chosen, and why</th><th class="number">confidence</th>`,
    row: fireRow,
  });
}

function fireRow({ at, query, note, chosen, confidence, why }: Fire): Markup {
  return html`<tr><td>${shown(query, longestQuery)}<div class="soft small">${shown(at, 140)}${note === null ? "" : `, ${shown(note, 80)}`}</div></td><td>${id(chosen)}<div class="soft small">${shown(why, 240)}</div></td><td class="number">${confidence.toFixed(2)}</td></tr>`;
}

/** What would have been right, had the floor let it through. */
export function renderWithheld({ withheld }: RoutingReport): Markup {
  return renderList("Right, and held back by the floor", "the nearest to the floor first", withheld, 100, {
    heading: html`<th class="half">query</th><th>right skill</th><th class="number">confidence</th>`,
    row: withheldRow,
  });
}

function withheldRow({ at, query, expected, confidence }: Withheld): Markup {
  return html`<tr><td>${shown(query, longestQuery)}<div class="soft small">${shown(at, 140)}</div></td><td>${id(expected)}</td><td class="number">${confidence.toFixed(2)}</td></tr>`;
}

/** Skills that are found worst. */
export function renderSkills({ perSkill }: RoutingReport): Markup {
  const imperfect = perSkill.filter(({ p1 }) => p1 < 1);
  return renderList("Skills that are found worst", `of ${perSkill.length} that are expected somewhere`, imperfect, 50, {
    heading: html`<th>skill</th><th class="number">queries</th><th class="number">P@1</th><th class="number">MRR</th>`,
    row: skillRow,
  });
}

function skillRow({ skill, n, p1, mrr }: SkillQuality): Markup {
  return html`<tr><td>${id(skill)}</td><td class="number">${n}</td><td class="number">${percent(p1)}</td><td class="number">${percent(mrr)}</td></tr>`;
}

interface Table<Item> {
  readonly heading: Markup;
  readonly row: (item: Item) => Markup;
}

function renderList<Item>(
  title: string,
  about: string,
  items: readonly Item[],
  most: number,
  table: Table<Item>,
): Markup {
  if (items.length === 0) return html``;
  const more = items.length > most ? html`<p class="soft small">and ${items.length - most} more</p>` : html``;
  return html`<section><h2>${title} (${items.length})</h2><p class="soft small">${about}</p>
<table><thead><tr>${table.heading}</tr></thead><tbody>
${items.slice(0, most).map(table.row)}
</tbody></table>${more}</section>`;
}

function id(entry: string): Markup {
  return html`<span class="id">${shown(entry, longestId)}</span>`;
}

const mostExpected = 5;

function ids(entries: readonly string[]): Markup {
  const more =
    entries.length > mostExpected ? html` <span class="soft">and ${entries.length - mostExpected} more</span>` : html``;
  return html`${entries.slice(0, mostExpected).map((entry, at) => html`${at === 0 ? "" : " or "}${id(entry)}`)}${more}`;
}
