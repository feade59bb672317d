import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { confirm } from "./ask-secret.ts";

async function answered(typed: string | null, options: Readonly<Record<string, boolean>> = {}, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const asked: string[] = [];
  if (typed !== null) input.end(typed);
  const answer = await confirm({ args: [], options }, "Add it?", {
    input,
    output: { write: (text) => asked.push(text) },
  });
  return { answer, asked: asked.join("") };
}

describe("AG-11: before something is written", () => {
  test.each([
    ["y\n", "yes"],
    ["Yes\r\n", "yes"],
    [" y \n", "yes"],
    ["\n", "no"],
    ["n\n", "no"],
    ["yep\n", "no"],
    ["no\ny\n", "no"],
    ["", "no"],
  ])("a person who types %j says %s", async (typed, answer) => {
    expect(await answered(typed)).toEqual({ answer, asked: "Add it? [y/N] " });
  });

  test("without a terminal nobody is asked, and what is piped in is no answer", async () => {
    expect(await answered("y\n", {}, false)).toEqual({ answer: "nobody to ask", asked: "" });
  });

  test("a program that reads JSON is not asked", async () => {
    expect(await answered("y\n", { json: true })).toEqual({ answer: "nobody to ask", asked: "" });
  });

  test("--yes answers for good, and nothing is read", async () => {
    expect(await answered(null, { yes: true }, false)).toEqual({ answer: "yes", asked: "" });
    expect(await answered(null, { yes: true, json: true })).toEqual({ answer: "yes", asked: "" });
  });
});
