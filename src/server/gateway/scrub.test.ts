import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Scrubber, scrubText } from "./headers.ts";

const secret = "sk-aab-aabc";

function streamed(chunks: readonly Buffer[], covered: string | null): string {
  const scrubber = new Scrubber(covered);
  return Buffer.concat([...chunks.map((chunk) => scrubber.push(chunk)), scrubber.end()]).toString("latin1");
}

describe("CO-16: a secret that comes back", () => {
  test("CO-16: is covered wherever a stream is torn, and nothing else changes", () => {
    const piece = fc.oneof(fc.constant(secret), fc.constantFrom("sk-aab-", "aab", "c", "\n\n"), fc.string());
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
        const whole = Buffer.from(pieces.join(""), "latin1");
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          chunks.push(whole.subarray(at, at + cut));
          at += cut;
        }
        expect(streamed(chunks, secret)).toBe(scrubText(whole.toString("latin1"), secret));
      }),
    );
  });

  test("CO-16: nothing is held back that cannot be the start of it", () => {
    const scrubber = new Scrubber(secret);
    expect(scrubber.push(Buffer.from("data: sk\n\n")).toString()).toBe("data: sk\n\n");
    expect(scrubber.push(Buffer.from("ends with sk-a")).toString()).toBe("ends with ");
    expect(scrubber.push(Buffer.from("nd more")).toString()).toBe("sk-and more");
  });

  test("CO-16: without one, chunks are handed on as they are", () => {
    const chunk = Buffer.from("data");
    expect(new Scrubber(null).push(chunk)).toBe(chunk);
    expect(scrubText("data", null)).toBe("data");
  });
});
