import { describe, expect, it } from "vitest";
import { chainOf, evidence, link, shelfOf, usual } from "../../../test/support/route-room.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { AppError } from "../../core/error.ts";
import type { Asked } from "../link.ts";
import type { Routed } from "../routed.ts";

const shelf = shelfOf(["a:x", "b:x", "c:x"].map((id) => ({ id, name: id })));
const honest = link("honest", { "a:x": 0.7, "b:x": 0.5 });
const query = "what the query says stays with whoever asked";

function codesOf({ findings }: Routed): readonly string[] {
  return findings.map(({ code }) => code);
}

function throwing(): never {
  throw new Error(`could not: ${query}`);
}

const revoked = Proxy.revocable([], {});
revoked.revoke();

/** What a link can do instead of answering, and what is said of it. */
const failures: readonly (readonly [string, (asked: Asked) => unknown, string])[] = [
  ["throws", throwing, "route.link-failed"],
  ["rejects", () => Promise.reject(new Error(query)), "route.link-failed"],
  ["rejects with nothing", () => Promise.reject(), "route.link-failed"],
  [
    "throws what cannot be looked at",
    () => Promise.reject(new Proxy({}, { getPrototypeOf: throwing })),
    "route.link-failed",
  ],
  ["answers with a promise that throws", () => new Proxy({}, { get: throwing }), "route.link-failed"],
  ["hangs", () => new Promise(() => {}), "route.link-late"],
  ["answers with nothing", () => undefined, "route.link-rubbish"],
  ["answers with text", () => "a:x", "route.link-rubbish"],
  ["answers with an object", () => ({ length: 1, 0: evidence({ "a:x": 1 })[0] }), "route.link-rubbish"],
  [
    "answers with a list that cannot be read",
    () => Promise.resolve(revoked.proxy).catch(() => "gone"),
    "route.link-rubbish",
  ],
  [
    "answers with a list of no length",
    () => new Proxy([], { get: (_, key) => (key === "length" ? throwing() : undefined) }),
    "route.link-rubbish",
  ],
  ["names what is not there", () => evidence({ "x:y": 1, __proto__x: 1, constructor: 1 }), "route.link-rubbish"],
  [
    "is sure of no number",
    () => evidence({ "a:x": Number.NaN, "b:x": Number.POSITIVE_INFINITY }),
    "route.link-rubbish",
  ],
  ["is surer than sure", () => evidence({ "a:x": 1.01, "b:x": -0.01 }), "route.link-rubbish"],
  ["is sure in words", () => [{ entry: "a:x", confidence: "1", why: "" }], "route.link-rubbish"],
  ["names no one", () => [null, 7, "a:x", {}, [], { entry: 5, confidence: 1, why: "" }], "route.link-rubbish"],
  ["gives no reason", () => [{ entry: "a:x", confidence: 1 }], "route.link-rubbish"],
  ["gives a number as a reason", () => [{ entry: "a:x", confidence: 1, why: 7 }], "route.link-rubbish"],
  [
    "gives a megabyte of reason",
    () => [{ entry: "a:x", confidence: 1, why: "w".repeat(1 << 20) }],
    "route.link-rubbish",
  ],
  [
    "gives a reason that moves the cursor",
    () => [{ entry: "a:x", confidence: 1, why: "\x1b[2J" }],
    "route.link-rubbish",
  ],
  ["gives a reason that turns round", () => [{ entry: "a:x", confidence: 1, why: "\u202eabc" }], "route.link-rubbish"],
  [
    "throws when it is read",
    () => [
      {
        get entry() {
          return throwing();
        },
        confidence: 1,
        why: "",
      },
    ],
    "route.link-rubbish",
  ],
  ["throws when it is looked at", () => [new Proxy({}, { has: throwing })], "route.link-rubbish"],
];

describe.each(["finds", "judges"] as const)("RT-4: a link that %s", (role) => {
  it.each(failures)("and %s counts as having no answer", async (_, find, code) => {
    const alone = await chainOf([honest]).route(shelf, query, {});
    for (const links of [
      [honest, link("bad", find, { role })],
      ...(role === "finds" ? [[link("bad", find), honest]] : []),
    ]) {
      const routed = await chainOf(links).route(shelf, query, {});
      expect(routed.matches).toEqual(alone.matches);
      expect(routed.trace.ranked).toEqual(alone.trace.ranked);
      expect(codesOf(routed)).toEqual([code]);
      expect(routed.findings[0]?.at.file).toBe("link:bad");
      expect(routed.trace.steps.find((step) => step.link === "bad")?.outcome).toBe(
        code.endsWith("late") ? "late" : "failed",
      );
      expect(JSON.stringify([routed.findings, routed.trace.steps])).not.toContain("the query says");
    }
  });

  it("and says one sound thing among rubbish", async () => {
    const mixed = [...evidence({ "c:x": 0.6, "no:one": 1, "b:x": 2 }), ...evidence({ "c:x": 0.9 }), null];
    const finder = link("honest", { "a:x": 0.7, "b:x": 0.5, "c:x": 0.45 });
    const routed = await chainOf([finder, link("mixed", () => mixed, { role })]).route(shelf, query, {});
    expect(codesOf(routed)).toEqual(["route.link-rubbish"]);
    // What is dropped of a judge's answer would put aside what it may have meant: none of it counts.
    expect(routed.matches.map(({ entry, confidence }) => [entry, confidence])).toEqual([
      ["a:x", 0.7],
      ...(role === "finds"
        ? [
            ["c:x", 0.6],
            ["b:x", 0.5],
          ]
        : [
            ["b:x", 0.5],
            ["c:x", 0.45],
          ]),
    ]);
  });
});

describe("RT-4: containment", () => {
  it("takes each member of an answer once: what was checked is what counts", async () => {
    let reads = 0;
    const changing = {
      entry: "a:x",
      why: "",
      get confidence() {
        return reads++ === 0 ? 0.6 : Number.NaN;
      },
    };
    const { matches } = await chainOf([link("changing", () => [changing])]).route(shelf, query, {});
    expect(matches).toMatchObject([{ entry: "a:x", confidence: 0.6 }]);
  });

  it("looks through the first thousand of an answer", async () => {
    const flood = Array.from({ length: 5000 }, (_, at) => evidence({ [at === 4999 ? "c:x" : "a:x"]: 0.6 })[0]);
    const routed = await chainOf([link("flood", () => flood)]).route(shelf, query, {});
    expect(routed.matches.map(({ entry }) => entry)).toEqual(["a:x"]);
    expect(codesOf(routed)).toEqual(["route.link-rubbish"]);
  });

  it("says by its code why a link failed, and the words of our own errors only to whoever asked", async () => {
    const refused = link("semantic", () =>
      Promise.reject(new AppError("upstream.refused", "the secret is not accepted")),
    );
    const { findings, trace } = await chainOf([refused]).route(shelf, query, {});
    expect(findings).toMatchObject([{ level: "medium", message: "the semantic link failed (upstream.refused)" }]);
    expect(trace.steps[0]?.note).toBe("upstream.refused: the secret is not accepted");
  });

  it("ends the signal of a link that is late, and does not mind what it says afterwards", async () => {
    let ended = false;
    const late = link("late", ({ signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended = true;
          reject(new Error("too late"));
        });
      });
    });
    const routed = await chainOf([late, honest]).route(shelf, query, {});
    expect(ended).toBe(true);
    expect(codesOf(routed)).toEqual(["route.link-late"]);
    expect(routed.trace.steps[0]).toMatchObject({ outcome: "late", note: "took longer than 100 ms" });
    expect(routed.matches).toHaveLength(2);
  });

  it("counts one that kept the process busy for longer than its time box as late", async () => {
    const clock = fixedClock();
    const busy = link("busy", () => {
      clock.advance(101);
      return evidence({ "c:x": 1 });
    });
    const routed = await chainOf([busy, honest], usual, clock).route(shelf, query, {});
    expect(codesOf(routed)).toEqual(["route.link-late"]);
    expect(routed.trace.steps[0]?.milliseconds).toBe(101);
    expect(routed.matches.map(({ entry }) => entry)).toEqual(["a:x", "b:x"]);
  });

  it("does not count what other requests do meanwhile: many at once are answered as one is", async () => {
    const clock = fixedClock();
    const quick = link("quick", () => {
      clock.advance(30);
      return evidence({ "c:x": 1 });
    });
    const chain = chainOf([quick], usual, clock);
    const all = await Promise.all(Array.from({ length: 50 }, () => chain.route(shelf, query, {})));
    expect(all.flatMap(codesOf)).toEqual([]);
    expect(all.every(({ matches }) => matches[0]?.entry === "c:x")).toBe(true);
  });

  it("gives links nothing through which they could change what others are asked", async () => {
    const vandal = link("vandal", (asked) => {
      expect(() => Object.assign(asked.query, { text: "other" })).toThrow("read only");
      Object.assign(asked.soFar[0] ?? {}, { entry: "c:x", confidence: 1 });
      Object.assign(asked, { soFar: [], allows: () => true });
      return [];
    });
    const { matches } = await chainOf([honest, vandal, link("last", ({ soFar }) => soFar)]).route(shelf, query, {});
    expect(matches.map(({ entry, confidence }) => [entry, confidence])).toEqual([
      ["a:x", 0.7],
      ["b:x", 0.5],
    ]);
  });
});
