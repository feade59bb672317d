import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CoveredText, scrubSecret } from "./covered-text.ts";

function shownOf(pieces: readonly string[], secret: string | null): string[] {
  const covered = new CoveredText(secret);
  return [...pieces.map((piece) => covered.add(piece)), covered.end()];
}

describe("CO-16: a secret that is cut between two pieces", () => {
  test("CO-16: what is shown is what is left of the whole, however it is cut", () => {
    // Few letters, so that beginnings of the secret are everywhere, also within it.
    const letters = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom("a", "b", ")"), minLength: least, maxLength: most });
    const drawn = letters(8, 10).chain((secret) =>
      fc.tuple(
        fc.constant(secret),
        fc.array(fc.oneof(letters(0, 6), fc.constant(secret), fc.constant(secret.slice(0, 5))), { maxLength: 12 }),
        fc.integer({ min: 1, max: 7 }),
      ),
    );
    fc.assert(
      fc.property(drawn, ([secret, parts, size]) => {
        const text = parts.join("");
        const pieces = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
        expect(shownOf(pieces, secret).join("")).toBe(scrubSecret(text, secret));
      }),
      { numRuns: 500 },
    );
  });

  test("CO-16: only what could be its beginning waits", () => {
    const secret = "sk-0123456789";
    expect(shownOf(["It will rain", " on sk-", "is. s", "k-0123456789!", " s"], secret)).toEqual([
      "It will rain",
      " on ",
      "sk-is. ",
      "(secret)!",
      " ",
      "s",
    ]);
  });

  test.each([null, "ollama"])("CO-16: with %j there is nothing to wait for", (secret) => {
    expect(shownOf(["o", "llama"], secret)).toEqual(["o", "llama", ""]);
  });
});
