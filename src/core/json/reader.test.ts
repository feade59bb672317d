import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createKeys, JsonReader } from "./reader.ts";
import { JsonFault } from "./tokens.ts";

const keys = createKeys("model", "messages");

function readAll(bytes: Uint8Array): string[] {
  const texts: string[] = [];
  const json = new JsonReader(bytes);
  json.readObject(keys, () => {
    texts.push(json.readText() ?? "-");
  });
  json.finish();
  return texts;
}

function refusalOf(body: string | Uint8Array): string {
  try {
    readAll(Buffer.from(body));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return `${error.message} at byte ${error.at} (line ${error.line})`;
  }
  return "";
}

function isObjectFor(parse: () => unknown): boolean {
  try {
    const value = parse();
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe("CO-15: a body is one JSON object, for every reader", () => {
  const pieces = ["{", "}", "[", "]", ":", ",", '"', '"a"', "\\", "\\u00e9", "\\u12", "0", "1", "-", ".", "e+", "E"];
  const words = ["true", "false", "null", "nul", " ", "\n", "\t", "\r", "\f", "\u0000", "\u00a0", "é", "😀"];
  const likely = ['{"a":', '"a":1,', "[1,2]", '{"a":[', "1.5e3", "01", "+1", "1.", ".5", '"\u0001"', "]}", "}]"];
  const rubble = fc.array(fc.constantFrom(...pieces, ...words, ...likely), { maxLength: 12 });

  test("accepts exactly what JSON.parse accepts", () => {
    const texts = fc.oneof(
      rubble.map((some) => some.join("")),
      rubble.map((some) => `{"a":${some.join("")}}`),
      fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces, ...words)).map(([text, at, piece]) => {
        const cut = at % (text.length + 1);
        return `{"k":${text.slice(0, cut)}${piece}${text.slice(cut)}}`;
      }),
      fc.json().map((text) => `{"k":${text}}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(text.isWellFormed());
        const isFine = isObjectFor(() => JSON.parse(text));
        expect(refusalOf(text) === "").toBe(isFine);
      }),
      { numRuns: 3000 },
    );
  });

  const numbers = ["0", "-0", "1", "-1.5", "1e9", "1E+9", "0.0e-0", "120"];
  const noNumbers = ["01", "+1", "1.", ".5", "-", "1e", "1e+", "--1", "0x1", "1_0", "NaN", "Infinity", "-a"];
  test.each(numbers)("the number %s passes", (number) => {
    expect(refusalOf(`{"a":${number}}`)).toBe("");
  });
  test.each(noNumbers)("%s is no number", (number) => {
    expect(refusalOf(`{"a":${number}}`)).toMatch(/at byte \d+ \(line 1\)$/);
  });

  test.each([
    ["nothing", "", "expected an object at byte 0 (line 1)"],
    ["a list", "[]", "expected an object at byte 0 (line 1)"],
    ["two documents", "{} {}", "expected nothing more at byte 3 (line 1)"],
    ["a comma at the end", '{\n"a":1,\n}', "expected a string at byte 9 (line 3)"],
    ["a comment", '{"a":1}//', "expected nothing more at byte 7 (line 1)"],
    ["a single quote", "{'a':1}", "expected a string at byte 1 (line 1)"],
    ["a raw line break in a string", '{"a":"\n"}', "a string holds a control character at byte 6 (line 1)"],
    ["a NUL in a string", '{"a":"\u0000"}', "a string holds a control character at byte 6 (line 1)"],
    ["half an escape", '{"a":"\\u12"}', "a string holds a bad escape at byte 6 (line 1)"],
    ["an escape that is none", '{"a":"\\x"}', "a string holds a bad escape at byte 6 (line 1)"],
    ["a string without an end", '{"a":"\\"', "a string has no end at byte 8 (line 1)"],
    ["a bracket that closes a brace", '{"a":1]', 'expected "," or "}" at byte 6 (line 1)'],
    ["a brace that closes a bracket", '{"a":[1}', 'expected "," or "]" at byte 7 (line 1)'],
  ])("%s is refused, and where", (_, body, message) => {
    expect(refusalOf(body)).toBe(message);
  });

  test.each([
    ["half a character", [0x7b, 0x22, 0xc3, 0x22], 2],
    ["a surrogate", [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22], 2],
    ["an overlong quote", [0x7b, 0xc0, 0xa2], 1],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], 0],
  ])("%s is not UTF-8", (_, bytes, at) => {
    expect(refusalOf(Uint8Array.from(bytes))).toBe(`it is not UTF-8 at byte ${at} (line 1)`);
  });

  test("UTF-16 without a mark is refused", () => {
    expect(refusalOf(Buffer.from('{"model":"x"}', "utf16le"))).not.toBe("");
  });

  test("a byte order mark is passed over, once and in front only", () => {
    expect(refusalOf('\ufeff{"a":1}')).toBe("");
    expect(refusalOf('\ufeff\ufeff{"a":1}')).not.toBe("");
    expect(refusalOf('{"a":1}\ufeff')).not.toBe("");
  });

  test("512 levels are read, 513 are not", () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(refusalOf(nested(512))).toBe("");
    expect(refusalOf(nested(513))).toMatch("nested more than 512 deep");
  });
});

describe("CO-15: names of members", () => {
  test("are compared as they read, however they are written", () => {
    expect(readAll(Buffer.from('{"\\u006dod\\u0065l":"a","messages\\u0000":"b","Messages2":"c"}'))).toEqual(["a"]);
  });

  test.each([
    ['{"model":"a","model":"b"}', '"model" is there a second time at byte 13'],
    ['{"model":"a","x":{"model":1},"mod\\u0065l":"b"}', '"model" is there a second time at byte 29'],
    ['{"model":"a","Model":"b"}', 'some readers take "Model" for "model", at byte 13'],
    ['{"me\u017f\u017fages":[]}', 'some readers take "me\u017f\u017fages" for "messages", at byte 1'],
    ['{"MODEL":"b"}', 'some readers take "MODEL" for "model", at byte 1'],
  ])("%s could be two things to two readers", (body, message) => {
    expect(refusalOf(body)).toBe(`${message} (line 1)`);
  });

  test("that nobody reads may come as often as they like", () => {
    expect(refusalOf('{"a":1,"a":2,"__proto__":{"model":1,"model":2},"__proto__":1,"constructor":1}')).toBe("");
  });
});

describe("T26: hostile bodies take no more than their length", () => {
  // A reader that goes back, or down a call for each level, does not come to the end of these.
  const size = 256 << 10;
  const many = (unit: string) => unit.repeat(Math.ceil(size / unit.length));

  test.each(["[", '{"a":', '"\\', '{"model":', '[{"a":['])("%s over and over", (unit) => {
    expect(refusalOf(many(unit))).not.toBe("");
    expect(refusalOf(`{"a":${many(unit)}`)).not.toBe("");
    expect(refusalOf(`{"model":${many(unit)}`)).not.toBe("");
  });

  test.each(["\\\\", '\\"', "\\u0041", "a", "é"])("a string of %s", (unit) => {
    expect(refusalOf(`{"model":"${many(unit)}"}`)).toBe("");
    expect(refusalOf(`{"${many(unit)}":1}`)).toBe("");
    expect(refusalOf(`{"model":"${many(unit)}`)).toMatch("a string has no end");
  });

  test.each(["{},", '"a":1,', "1,", " ", "\n"])("lists and objects of %s", (unit) => {
    expect(refusalOf(`{"a":[${many(unit)}`)).not.toBe("");
    expect(refusalOf(`{${many(unit)}`)).not.toBe("");
  });
});
