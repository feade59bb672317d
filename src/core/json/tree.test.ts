import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonFault } from "./tokens.ts";
import { type JsonNode, parseJsonTree } from "./tree.ts";

const parse = (text: string) => parseJsonTree(text, { depth: 8, string: 4096 });

function plain(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries(Array.from(node.members, ([key, value]) => [key, plain(value)]));
}

function attempt(text: string): unknown {
  try {
    return { value: plain(parse(text)) };
  } catch (error) {
    if (error instanceof JsonFault) return "fault";
    throw error;
  }
}

describe("JSON with lines", () => {
  test("reads what any reader reads", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plain(parse(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("of any text: the same value as any reader, or a fault", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-",
      "null",
      "tru",
      "\n",
      '"',
      "\\",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const read = attempt(text);
        expect(read === "fault" ? "fault" : { value: JSON.parse(text) }).toEqual(read);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ['{\n"a": 1,\n"a": 2}', 3, "second time"],
    ['{\n"a": 1,\n}', 3, "expected a string"],
    ['{"a": 1}\n\nx', 3, "nothing more"],
    ["[1,]", 1, "expected a value"],
    ['"\u0001"', 1, "control character"],
    ['"abc', 1, "has no end"],
    [`"${"x".repeat(5000)}"`, 1, "very long"],
    [`${"[".repeat(10)}${"]".repeat(10)}`, 1, "nested more than 8"],
    ["", 1, "expected a value"],
    ["NaN", 1, "expected a value"],
  ])("%j is refused with its line", (text, line, message) => {
    expect(() => parse(text)).toThrowError(
      expect.objectContaining({ line, message: expect.stringContaining(message) }),
    );
  });

  test("a word that means something to objects is a word", () => {
    const node = parse('{"__proto__": {"constructor": 1}}');
    expect(node.kind === "object" && [...node.members.keys()]).toEqual(["__proto__"]);
    expect(Object.prototype).not.toHaveProperty("1");
  });

  test("a hundred thousand brackets cost nothing", () => {
    expect(attempt("[".repeat(100_000))).toBe("fault");
    expect(attempt('{"a":'.repeat(100_000))).toBe("fault");
  });
});
