import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { giveUpOn, nothingHeld, patienceWith, readKeys } from "./keys.ts";

function namesOf(...chunks: readonly string[]): string[] {
  let held = nothingHeld;
  return chunks.flatMap((chunk) => {
    const read = readKeys(held, chunk);
    held = read.held;
    return read.keys.map(({ name, typed }) => (name === "paste" ? `paste:${typed}` : name));
  });
}

describe("keys", () => {
  test("letters are their own names, several may come at once", () => {
    expect(namesOf("jk G")).toEqual(["j", "k", " ", "G"]);
    expect(namesOf("é日😀")).toEqual(["é", "日", "😀"]);
  });

  test.each([
    ["\u001b[A", "up"],
    ["\u001bOB", "down"],
    ["\u001b[5~", "pageup"],
    ["\u001b[6~", "pagedown"],
    ["\u001b[H", "home"],
    ["\u001b[4~", "end"],
    ["\r", "enter"],
    ["\t", "tab"],
    ["\u007f", "backspace"],
    ["\u0003", "ctrl-c"],
  ])("%j is %s", (raw, name) => {
    expect(namesOf(raw)).toEqual([name]);
  });

  test("a sequence in any two parts is the same key", () => {
    for (const raw of ["\u001b[A", "\u001b[6~", "\u001bOF"])
      for (let at = 1; at < raw.length; at++) expect(namesOf(raw.slice(0, at), raw.slice(at))).toEqual(namesOf(raw));
  });

  test("what no key here sends does nothing: Alt and a letter, a mouse, unseen characters", () => {
    expect(namesOf("\u001ba", "\u001b[<0;3;4M", "\u001b[1;5C", "\u200b\u0000", "j")).toEqual(["j"]);
    expect(namesOf(`\u001b[${"1;".repeat(50)}`, "j")).toEqual(["j"]);
  });

  test("Escape is Escape when nothing follows, or when another control does", () => {
    const { keys, held } = readKeys(nothingHeld, "\u001b");
    expect(keys).toEqual([]);
    expect(giveUpOn(held).keys.map(({ name }) => name)).toEqual(["escape"]);
    expect(giveUpOn({ text: "\u001b[", pasted: null }).keys).toEqual([]);
    expect(namesOf("\u001b\u0003")).toEqual(["escape", "ctrl-c"]);
  });

  test("what is pasted is one key that writes, however it comes", () => {
    const raw = "j\u001b[200~a y\r\nao\u202e\u001b[Ay\u001b[201~k";
    const whole = ["j", "paste:a y ao[Ay", "k"];
    expect(namesOf(raw)).toEqual(whole);
    for (let at = 1; at < raw.length; at++) expect(namesOf(raw.slice(0, at), raw.slice(at))).toEqual(whole);
    expect(namesOf(...Array.from(raw))).toEqual(whole);
  });

  test("a paste without an end holds no more than it may", () => {
    let held = readKeys(nothingHeld, "\u001b[200~").held;
    for (let chunk = 0; chunk < 50; chunk++) held = readKeys(held, "y".repeat(1000)).held;
    expect((held.pasted ?? "").length + held.text.length).toBeLessThan(5000);
    expect(readKeys(held, "\u001b[201~").keys).toHaveLength(1);
  });

  test("a paste without an end is over when nothing more comes, or with a Ctrl-C by itself", () => {
    for (const lost of ["", "\u001b", "\u001b[20"]) {
      const { held } = readKeys(nothingHeld, `\u001b[200~abcdefgh${lost}`);
      expect(patienceWith(held)).toBe(1000);
      expect(giveUpOn(held)).toEqual({ keys: [{ name: "paste", typed: "abcdefgh" }], held: nothingHeld });
    }
    expect(namesOf("\u001b[200~abc", "\u0003", "j")).toEqual(["paste:abc", "ctrl-c", "j"]);
    expect(namesOf("\u001b[200~", "\u0003", "\u0003")).toEqual(["paste:", "ctrl-c", "ctrl-c"]);
    // In the middle of something it is a part of what was pasted.
    expect(namesOf("\u001b[200~abc", "d\u0003", "e\u001b[201~j")).toEqual(["paste:abcde", "j"]);
    expect(patienceWith(nothingHeld)).toBe(null);
  });

  test("how keys are cut into chunks does not matter", () => {
    const parts = fc.array(fc.constantFrom("a", "\u001b[A", "\u001b[200~xy\u001b[201~", "\r", "日", "\u001b[5~"));
    fc.assert(
      fc.property(parts, (raw) => {
        const text = raw.join("");
        expect(namesOf(...text.split(""))).toEqual(namesOf(text));
      }),
    );
  });
});
