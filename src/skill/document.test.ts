import { describe, expect, test } from "vitest";
import { limits } from "../core/limits.ts";
import { splitDocument } from "./document.ts";

const split = (text: string | Uint8Array, bounds = limits.skill.workspace) =>
  splitDocument(typeof text === "string" ? Buffer.from(text) : text, bounds);
const shown = (text: string) => {
  const { document } = split(text);
  return document && { header: document.header, body: Buffer.from(document.body).toString(), line: document.bodyLine };
};
const codes = (text: string | Uint8Array, bounds = limits.skill.workspace) =>
  split(text, bounds).findings.map(({ code, at }) => `${code}:${at.line}`);

describe("SK-1: bytes to text", () => {
  test("invalid UTF-8 is named with its line", () => {
    expect(codes(Buffer.from([0x61, 0x0a, 0x62, 0xff]))).toEqual(["file.utf8:2"]);
    expect(codes(Buffer.from([0xed, 0xa0, 0x80]))).toEqual(["file.utf8:1"]);
  });

  test("one leading byte order mark is stripped, a second is text", () => {
    expect(shown("\uFEFF---\na: 1\n---\nx")).toEqual({ header: "a: 1\n", body: "x", line: 4 });
    expect(codes("\uFEFF---\na: 1\n---\nx")).toEqual(["file.bom:1"]);
    expect(shown("\uFEFF\uFEFF---\na: 1\n---\nx")?.header).toBeNull();
  });

  test.each(["\n", "\r\n", "\r"])("line ends %j", (end) => {
    const text = ["---", "a: 1", "b: 2", "---", "", "body"].join(end);
    expect(shown(text)).toEqual({ header: "a: 1\nb: 2\n", body: "body", line: 6 });
  });
});

describe("SK-2, T22: fences", () => {
  test.each(["----\na: 1\n---\n", "--- x\na: 1\n---\n", " ---\na: 1\n---\n", "\n---\na: 1\n---\n", "---js\nx\n---\n"])(
    "%j has no header",
    (text) => {
      expect(shown(text)?.header).toBeNull();
    },
  );

  test.each(["---\na: 1\n----\n", "---\na: 1\n ---\n", "---\na: 1\n--- x\n", "---\na: 1"])(
    "%j is not closed",
    (text) => {
      expect(codes(text)).toEqual(["header.unclosed:1"]);
    },
  );

  test("blanks after a fence do not count", () => {
    expect(shown("--- \t\na: 1\n---  \nx")?.header).toBe("a: 1\n");
  });

  test("dashes inside a value are not a fence, a rule in the body is body", () => {
    expect(shown("---\na: x --- y\n---\none\n---\ntwo")).toEqual({
      header: "a: x --- y\n",
      body: "one\n---\ntwo",
      line: 4,
    });
  });

  test.each(["name: b\n---\n", "a: 1\r\nb:\r\n  - c\r\n---", "a: 1\n---\nx"])(
    "T20: a second header %j is refused",
    (rest) => {
      expect(codes(`---\na: 1\n---\n${rest}`)).toEqual(["yaml.documents:4"]);
    },
  );

  test.each(["\nname: b\n---\n", "Note: b\n---\n", "name: b\n\n---\n", "name: b\ntext\n---\n", "---\nname: b\n"])(
    "a body that starts %j is a body",
    (rest) => {
      expect(codes(`---\na: 1\n---\n${rest}`)).toEqual([]);
    },
  );

  test("an empty header is a header", () => {
    expect(shown("---\n---\nx")).toEqual({ header: "", body: "x", line: 3 });
  });
});

describe("SK-3: sizes, in bytes", () => {
  const bounds = { ...limits.skill.workspace, headerBytes: 10, bodyBytes: 10, fileBytes: 100 };

  test.each([
    [`---\n${"a".repeat(11)}\n---\n`, "header.size:1"],
    ["---\néééééé\n---\n", "header.size:1"],
    [`---\na: 1\n---\n\n${"b".repeat(11)}`, "body.size:5"],
    ["x".repeat(101), "file.size:1"],
  ])("%j is too large", (text, code) => {
    expect(codes(text, bounds)).toEqual([code]);
  });

  test("a body of exactly the limit is read", () => {
    expect(codes(`---\na: 1\n---\n${"b".repeat(10)}`, bounds)).toEqual([]);
  });
});

test("SK-6: the body is what follows, leading white space removed, as the very bytes of the file", () => {
  const bytes = Buffer.from("---\na: 1\n---\n \t\r\n\n  é body \n");
  const { document } = splitDocument(bytes, limits.skill.workspace);
  expect(Buffer.from(document?.body ?? []).toString()).toBe("é body \n");
  expect(document?.body.buffer).toBe(bytes.buffer);
});
