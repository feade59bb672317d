import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { readBody, type WithBody, demandModest } from "./body.ts";

function request(headers: Record<string, string> = {}): PassThrough & WithBody {
  return Object.assign(new PassThrough(), { headers });
}

describe("T41: the body of a request", () => {
  test("T41: is read as a whole, up to its bound", async () => {
    const sent = request();
    const reading = readBody(sent, 6);
    sent.write("abc");
    sent.end("def");
    expect((await reading).toString()).toBe("abcdef");
  });

  test("T41: that says it is larger is refused without reading a byte", async () => {
    const sent = request({ "content-length": "7" });
    sent.write("abc");
    await expect(readBody(sent, 6)).rejects.toMatchObject({ code: "request.too-large" });
    expect(sent.readableDidRead).toBe(false);
  });

  test("T41: that turns out to be larger is not read on", async () => {
    const sent = request({ "content-length": "3" });
    const reading = readBody(sent, 6);
    sent.write("abcdefg");
    await expect(reading).rejects.toMatchObject({ code: "request.too-large" });
    expect([sent.isPaused(), sent.listenerCount("data")]).toEqual([true, 0]);
  });

  test("T41: that ends too early, or whose connection breaks, is refused and does not hang", async () => {
    const [early, broken, over] = [request(), request(), request()];
    const readings = [readBody(early, 6), readBody(broken, 6)];
    early.destroy();
    broken.destroy(new Error("reset"));
    over.destroy();
    for (const reading of [...readings, readBody(over, 6)])
      await expect(reading).rejects.toMatchObject({ code: "usage.invalid" });
  });

  test.each(["gzip", "br", "GZIP", "gzip, identity"])("T7: packed with %s it is refused unread", async (encoding) => {
    const sent = request({ "content-encoding": encoding });
    sent.end("x");
    await expect(readBody(sent, 6)).rejects.toMatchObject({ code: "usage.invalid" });
    expect(sent.readableDidRead).toBe(false);
  });
});

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
