import { describe, expect, test } from "vitest";
import { judgeContracts, type PredicateResult } from "./contract.ts";

function result(changes: Partial<PredicateResult> = {}): PredicateResult {
  const plain = { skill: "harbour/sails", kind: "preconditions", name: "folded", severity: "HARD" } as const;
  return { ...plain, holds: true, reason: null, fault: null, ...changes };
}

function judged(...results: PredicateResult[]) {
  return judgeContracts({ results, faults: [], milliseconds: 1 });
}

describe("SC-11: what contracts say together", () => {
  test("what holds refuses nothing and finds nothing", () => {
    const all = [result(), result({ severity: "SOFT", name: "dry" })];
    expect(judged(...all)).toEqual({ refused: false, findings: [], results: all });
    expect(judged()).toEqual({ refused: false, findings: [], results: [] });
  });

  test("a HARD one that does not hold refuses, a SOFT one is a finding", () => {
    expect(judged(result({ holds: false, reason: "still wet" }))).toMatchObject({
      refused: true,
      findings: [
        {
          code: "contract.failed",
          level: "high",
          message: "precondition folded does not hold: still wet",
          at: { file: "harbour/sails/contract.js", line: 1 },
        },
      ],
    });
    expect(judged(result({ holds: false, severity: "SOFT", kind: "invariants" }))).toMatchObject({
      refused: false,
      findings: [{ code: "contract.soft", level: "low", message: "invariant folded does not hold" }],
    });
  });

  test("the HARD variant of a name wins over a SOFT one, whatever the order and whatever it says", () => {
    const hard = result({ skill: "a/one" });
    const soft = result({ skill: "b/two", severity: "SOFT", holds: false });
    for (const all of [
      [hard, soft],
      [soft, hard],
    ])
      expect(judged(...all)).toEqual({ refused: false, findings: [], results: [hard] });
    expect(judged({ ...hard, holds: false }, { ...soft, holds: true }).refused).toBe(true);
  });

  test("names of another kind are other names", () => {
    const soft = result({ severity: "SOFT", holds: false, kind: "postconditions" });
    expect(judged(result(), soft).findings).toMatchObject([{ code: "contract.soft" }]);
  });

  test("of equal severity both count", () => {
    const [first, second] = [result({ skill: "a/one" }), result({ skill: "b/two", holds: false })];
    expect(judged(first, second)).toMatchObject({ refused: true, results: [first, second] });
    const soft = { severity: "SOFT", holds: false } as const;
    expect(judged({ ...first, ...soft }, { ...second, ...soft }).findings).toHaveLength(2);
  });

  test("a predicate that could not be asked refuses", () => {
    const threw = result({ holds: false, fault: "contract.threw", reason: "no sails\u202e" });
    expect(judged(threw)).toMatchObject({
      refused: true,
      findings: [{ code: "contract.threw", message: "precondition folded could not be asked: no sails\\u{202e}" }],
    });
  });

  test("a contract that could not be asked refuses, though all the others hold", () => {
    const fault = { code: "contract.timeout", skill: "b/two", message: "it took longer than it may" } as const;
    expect(judgeContracts({ results: [result()], faults: [fault], milliseconds: 1 })).toMatchObject({
      refused: true,
      findings: [{ code: "contract.timeout", level: "high", at: { file: "b/two/contract.js" } }],
    });
  });
});
