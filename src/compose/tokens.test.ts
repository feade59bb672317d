import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { estimateTokens, loadTokenCounter } from "./tokens.ts";

let count: (text: string) => number;
beforeAll(async () => {
  count = await loadTokenCounter();
});

const prose = "Scale every ingredient by the same factor. Salt is the exception: taste first!\n\n- 500 g flour\n";

describe("CO-7: the tokens of a composition", () => {
  test("CO-7: are the tokenizer's own", () => {
    for (const text of ["", "a", prose.repeat(40), "```js\nconst a = [1, 2];\n```\n", "漢字かな交じり文。".repeat(20)])
      expect(count(text)).toBe(countTokens(text));
  });

  test("T31: a special token in a text is text", () => {
    expect(() => countTokens("a <|endoftext|> b")).toThrow(/special token/);
    expect(count("a <|endoftext|> b")).toBe(countTokens("a <|", {}) + countTokens("endoftext|> b", {}));
  });

  // One piece of this length takes the tokenizer minutes; the limit of a test is the clock here.
  test.each(["a", " ", "漢", "\ud800", "😀", "!?", "/\n", "1", "a\u0301!", " \n", "\u3000"])(
    "T26: half a megabyte of %j is counted in a moment, and hardly more than it is",
    (unit) => {
      const whole = unit.repeat(Math.ceil(500_000 / unit.length));
      expect(count(whole)).toBeGreaterThan(0);
      const small = unit.repeat(Math.ceil(400 / unit.length)).toWellFormed();
      expect(count(small)).toBeGreaterThanOrEqual(countTokens(small));
      expect(count(small)).toBeLessThanOrEqual(countTokens(small) + 8);
    },
  );

  test("CO-6: the estimate is near the count for what skills are made of", () => {
    const text = prose.repeat(40);
    expect(estimateTokens(text) / count(text)).toBeGreaterThan(0.7);
    expect(estimateTokens(text) / count(text)).toBeLessThan(1.4);
  });
});
