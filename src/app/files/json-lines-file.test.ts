import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../testing/memory-files.ts";
import { LineFault, readJsonLines } from "./json-lines-file.ts";

async function read(content: string | Uint8Array, path = "/f.jsonl") {
  const values = [];
  const parse = (value: unknown) => {
    if (value === "bad") throw new LineFault("is bad");
    return value;
  };
  for await (const each of readJsonLines(memoryFiles({ [path]: content }), path, parse)) values.push(each);
  return values;
}

describe("RT-8: files with JSON on each line", () => {
  test("blank lines are passed, and counted: what is said about a line names the right one", async () => {
    expect(await read('\n\r\n1\r\n\n\n"two"\n\n3')).toEqual([
      { line: 3, value: 1 },
      { line: 6, value: "two" },
      { line: 8, value: 3 },
    ]);
    expect(await read("1\n\r")).toEqual([{ line: 1, value: 1 }]);
    await expect(read('\n1\n\n"bad"\n')).rejects.toThrow("/f.jsonl:4 is bad");
    await expect(read("\n\n{\n")).rejects.toThrow("/f.jsonl:3 is not JSON in UTF-8");
  });

  test("lines that are longer than a part of the file", async () => {
    const long = "a".repeat(200_000);
    expect(await read(`\n"${long}"\n\n"${long}b"`)).toEqual([
      { line: 2, value: long },
      { line: 4, value: `${long}b` },
    ]);
    await expect(read(`\n\n"${"a".repeat(9e6)}"`)).rejects.toThrow("/f.jsonl:3 is longer than 8388608 bytes");
  });

  test("T26: no more than 5,000,000 lines are passed, blank or not, packed or not", async () => {
    const blank = "\n".repeat(5_000_000);
    expect(await read(blank)).toEqual([]);
    const why = "/f.jsonl:5000001 comes after 5000000 lines; more are not read";
    await expect(read(`${blank}1`)).rejects.toMatchObject({ code: "usage.invalid", message: why });
    await expect(read(gzipSync(`${blank}\n`), "/f.jsonl.gz")).rejects.toThrow("comes after 5000000 lines");
  });
});
