import { describe, expect, test } from "vitest";
import { longestReply, readAnswer, readDeclaration, refusalText } from "./messages.ts";

const noAnswer = { fault: "contract.reply" };
const text = (value: unknown) => JSON.stringify(value);

describe("SC-10: replies are JSON text, read field by field", () => {
  test("an answer is true, false, or holds with a reason", () => {
    expect(readAnswer(text({ answer: true }))).toEqual({ holds: true, reason: null });
    expect(readAnswer(text({ answer: { holds: false } }))).toEqual({ holds: false, reason: null });
    expect(readAnswer(text({ answer: { holds: false, reason: "wet" } }))).toEqual({ holds: false, reason: "wet" });
    for (const reason of [null, ""])
      expect(readAnswer(text({ answer: { holds: true, reason } }))).toEqual({ holds: true, reason: null });
  });

  test("a reason is one line of at most 300 characters with nothing unseen in it", () => {
    const answer = readAnswer(text({ answer: { holds: false, reason: `a\n\u202e${"x".repeat(9_000)}` } }));
    expect(answer).toMatchObject({ reason: expect.stringMatching(/^a\\u\{a\}\\u\{202e\}x+…$/) });
    expect("reason" in answer && answer.reason?.length).toBe(300);
  });

  test.each([
    undefined,
    null,
    true,
    7,
    { answer: true },
    "",
    "true",
    "null",
    "{",
    "[]",
    `[{"answer":true}]`,
    `{"answer":true,"more":1}`,
    `{"answer":"true"}`,
    `{"answer":null}`,
    `{"answer":1}`,
    `{"answer":[true]}`,
    `{"answer":{}}`,
    `{"answer":{"holds":1}}`,
    `{"answer":{"holds":true,"reason":{}}}`,
    `{"answer":{"holds":true,"more":1}}`,
    `{"answer":{"__proto__":{"holds":true}}}`,
    `{"__proto__":{"answer":true}}`,
    `{"fault":"contract.fine","message":"x"}`,
    `{"fault":"contract.threw"}`,
    `{"fault":"contract.threw","message":1}`,
    `{"fault":"toString","message":"x"}`,
    `{"answer":true${" ".repeat(4 * longestReply)}}`,
    "[".repeat(200_000),
    `{"answer":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ])("%# is no answer", (reply) => {
    expect(readAnswer(reply)).toMatchObject(noAnswer);
  });

  test("a fault says its code, and its message on one line", () => {
    const told = { fault: "contract.threw", message: "a\\u{a}b" };
    expect(readAnswer(refusalText("contract.threw", "a\nb"))).toEqual(told);
    expect(readDeclaration(refusalText("contract.threw", "a\nb"))).toEqual(told);
  });

  const predicate = { kind: "invariants", name: "dry", severity: "SOFT" };
  const contract = { name: "sails", version: "1.0.0", predicates: [predicate] };

  test("a declaration lists its predicates", () => {
    expect(readDeclaration(text({ contract }))).toEqual([predicate]);
    expect(readDeclaration(text({ contract: { ...contract, predicates: [] } }))).toEqual([]);
    const most = Array.from({ length: 64 }, () => predicate);
    expect(readDeclaration(text({ contract: { ...contract, predicates: most } }))).toEqual(most);
  });

  test.each([
    [{ ...contract, name: "" }],
    [{ ...contract, name: "x".repeat(65) }],
    [{ ...contract, name: "a\u200bb" }],
    [{ ...contract, version: 1 }],
    [{ ...contract, predicates: {} }],
    [{ ...contract, predicates: Array.from({ length: 65 }, () => predicate) }],
    [{ ...contract, predicates: [null] }],
    [{ ...contract, predicates: [[]] }],
    [{ ...contract, predicates: [{ ...predicate, kind: "constructor" }] }],
    [{ ...contract, predicates: [{ ...predicate, name: " " }] }],
    [{ ...contract, predicates: [{ ...predicate, name: "a\nb" }] }],
    [{ ...contract, predicates: [{ ...predicate, severity: "MEDIUM" }] }],
    [{ ...contract, predicates: [{ ...predicate, more: 1 }] }],
    [{ ...contract, more: 1 }],
    [null],
    [[]],
  ])("%# is no declaration", (declared) => {
    expect(readDeclaration(text({ contract: declared }))).toMatchObject({ fault: "contract.unreadable" });
  });

  test("what is no declaration at all is none", () => {
    for (const reply of [undefined, "", "{}", "[]", text({ contract, more: 1 }), text({ answer: true })])
      expect(readDeclaration(reply)).toMatchObject({ fault: "contract.unreadable" });
  });
});
