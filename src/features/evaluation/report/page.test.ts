import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { GatedReport } from "../eval-routing.ts";
import { renderRouting } from "../render.ts";
import { html } from "./html.ts";
import { renderRoutingPage } from "./page.ts";

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "'><iframe src=//evil.example>",
  "</title><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "</svg><script>alert(1)</script>",
  "</table><script>alert(1)</script>",
  "<!--<script>alert(1)</script>-->",
  "--><script>alert(1)</script>",
  "<a href=javascript:alert(1)>x</a>",
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  "<style>@import 'https://evil.example/x.css'</style>",
  "<object data=https://evil.example></object>",
  "<embed src=https://evil.example>",
  "<form action=https://evil.example><button>go</button></form>",
  "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
  "<svg><use href='https://evil.example/x.svg#a'/></svg>",
  "<input onfocus=alert(1) autofocus>",
  "<details open ontoggle=alert(1)>",
  "`<img src=x onerror=alert(1)>`",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<ScRiPt\u0000>alert(1)</sCrIpT>",
  "\u202e<script>alert(1)</script>\u2066${alert(1)}{{alert(1)}}",
];

const interval = [0.8, 0.9] as const;
const point = { threshold: 0.5, coverage: 0.9, falseFires: 0.1 };

/** A report in which everything that can be foreign is `text`. */
function reportOf(text: string, most = 1): GatedReport {
  const ranking = {
    n: 10,
    p1: 0.8,
    mrr: 0.85,
    recall: { "1": 0.8, "5": 0.9, "10": 1 },
    intervals: { p1: interval, mrr: interval },
  };
  const many = <Item>(item: Item) => Array.from({ length: most }, () => item);
  const seen = { at: text, query: text, note: text, chosen: text, confidence: 0.7, link: text, why: text };
  return {
    ...ranking,
    n: 20,
    positives: 10,
    k: 10,
    p1WithLookAlikes: 0.9,
    answered: { n: 9, p1: 0.9, interval },
    abstention: {
      negatives: 10,
      falseFires: 0.1,
      fired: 1,
      coverage: 0.9,
      floor: 0.5,
      intervals: { falseFires: interval, coverage: interval },
      atCoverage80: point,
    },
    curve: { points: [{ threshold: 0, coverage: 1, falseFires: 1 }, point], default: point },
    byKind: { [text]: ranking },
    latencyMs: { p50: 0.1, p99: 2, histogram: [{ from: 0.1, to: 0.158, count: 20 }] },
    index: { skills: 3, buildMs: 1, loadMs: 1, bytes: 1000 },
    perSkill: many({ skill: text, n: 1, p1: 0, mrr: 0 }),
    confusions: many({ expected: text, chosen: text, count: 1, words: [text], alike: false }),
    misses: many({ ...seen, kind: text, expected: [text], rank: 2, abstained: false, alike: false }),
    fires: many(seen),
    withheld: many({ at: text, query: text, expected: text, confidence: 0.4 }),
    gate: { passes: false, missed: [{ measure: "p1", expected: text, got: 0.8 }] },
  };
}

/** Every element and attribute name of a page, as a browser would find them. */
function tagsOf(page: string): Map<string, Set<string>> {
  const tags = new Map<string, Set<string>>();
  for (const [, name = "", attributes = ""] of page.matchAll(/<([a-z!][a-z0-9]*)((?:"[^"]*"|[^">])*)>/gi)) {
    const names = [...attributes.replace(/"[^"]*"/g, '""').matchAll(/([a-z:-]+)(?==|\s|\/|$)/gi)].map(
      ([, each = ""]) => each,
    );
    tags.set(name.toLowerCase(), new Set([...(tags.get(name.toLowerCase()) ?? []), ...names]));
  }
  return tags;
}

const plain = tagsOf(renderRoutingPage(reportOf("plain"), "1.0.0"));

describe("T34: the page shows foreign text and does nothing of it", () => {
  test.each(hostile)("%j changes no tag and no attribute", (text) => {
    const page = renderRoutingPage(reportOf(text), "1.0.0");
    expect(tagsOf(page)).toEqual(plain);
    expect(page).not.toContain("<script");
    if (/[<>"'`]/.test(text)) expect(page).not.toContain(text);
  });

  test.each(hostile)("%j acts on no terminal either", (text) => {
    const printed = renderRouting(reportOf(text), (_, each) => each);
    // oxlint-disable-next-line no-control-regex
    expect(printed).not.toMatch(/[\0-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]/);
  });

  test("what cannot be seen is shown as what it is", () => {
    const page = renderRoutingPage(reportOf("a\u202eb\u200bc"), "1.0.0");
    expect(page).toContain("a\\u{202e}b\\u{200b}c");
    expect(page).not.toMatch(/[\u202e\u200b]/);
  });

  test("markup is escaped wherever it is put, and only our own is not", () => {
    expect(html`<b title="${`"><i>'\``}">${"<&>"}${[html`<i>${"x<"}</i>`]}${7}</b>`.text).toBe(
      '<b title="&quot;&gt;&lt;i&gt;&#39;&#96;">&lt;&amp;&gt;<i>x&lt;</i>7</b>',
    );
  });
});

describe("one page that needs nothing else", () => {
  const page = renderRoutingPage(reportOf("plain"), "1.0.0");

  test("nothing refers to anything outside, and the policy would not let it", () => {
    expect(page).not.toMatch(
      /https?:|\/\/|url\(|@import|\bsrc=|\bhref=|<link|<script|<iframe|javascript:|\bon[a-z]+=/i,
    );
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    expect(page).not.toMatch(/\sstyle="/);
  });

  test("figures, curve, histogram, confusions, misses and their reasons are on it, in light and dark", () => {
    for (const text of [
      "80.0 %",
      "85.0 %",
      "in use: floor 0.50",
      "milliseconds",
      "Taken for another",
      "Missed",
      "False fires",
    ])
      expect(page).toContain(text);
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page.match(/<svg/g)).toHaveLength(3);
  });

  test("long lists are bounded, and say by how much", () => {
    const long = renderRoutingPage(reportOf("plain", 1000), "1.0.0");
    expect(long).toContain("and 800 more");
    expect(long.length).toBeLessThan(1e6);
    expect(renderRoutingPage(reportOf("x".repeat(60_000), 300), "1.0.0").length).toBeLessThan(2e6);
  });

  test("a set without negatives, without kinds and without anything wrong has its page too", () => {
    const bare: GatedReport = {
      ...reportOf("plain"),
      byKind: {},
      perSkill: [],
      confusions: [],
      misses: [],
      fires: [],
      withheld: [],
      latencyMs: { p50: 0, p99: 0, histogram: [] },
      abstention: { ...reportOf("plain").abstention, negatives: 0, falseFires: null, atCoverage80: null },
      gate: { passes: true, missed: [] },
    };
    const text = renderRoutingPage(bare, "1.0.0");
    expect(text).toContain("false fires are not measured");
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
    expect(renderRouting(bare, (_, each) => each)).toContain("false fires are not measured");
  });
});
