import { describe, expect, test } from "vitest";
import { demandModest } from "./modest-json.ts";

const check = (text: string, most = 10) => demandModest(Buffer.from(text), most);
const refusal = (what: string) =>
  expect.objectContaining({ code: "usage.invalid", message: expect.stringContaining(what) });

describe("T41: bodies that are too much to parse", () => {
  test.each<[text: string, values: number]>([
    ["1", 1],
    ["[]", 2],
    ["[1,2,3]", 4],
    ['{"a":1,"b":[]}', 4],
    ['["a,[{\\",[{",1]', 3],
    ['["\\\\",[]]', 4],
    ["[[],[],[]]", 7],
  ])("T41: %s has values that are counted, and no sign within a text is one", (text, values) => {
    check(text, values);
    expect(() => check(text, values - 1)).toThrow(refusal(`more than ${values - 1} values`));
  });

  test.each(["[", '{"a":', '[1,{"a":'])("T41: %s, again and again: 64 deep and no deeper", (open) => {
    const times = 64 / [...open.matchAll(/[[{]/g)].length;
    check(open.repeat(times), 1000);
    expect(() => check(open.repeat(times + 1), 1000)).toThrow(refusal("nested more than 64 deep"));
  });

  test("SV-2: what is no JSON is left to the parser", () => {
    for (const text of ["", '"', '"\\', "]]]]", "\u{feff}{}", "{,,}"]) expect(() => check(text)).not.toThrow();
  });
});
