import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTokens } from "./tokens.ts";

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  readTokens(text, (token) => tokens.push(token.toString()));
  return tokens;
}

describe("RT-2: tokens", () => {
  it.each([
    ["English endings", "Files indexed, queries running, boxes merged", "fil index queri run box merg"],
    ["what is no ending", "class status analysis need thing bus", "class status analysis need thing bus"],
    ["camelCase", "camelCase", "camelcas camel cas"],
    ["capitals before a word", "HTMLParser", "htmlparser html parser"],
    ["digits", "base64 utf8", "base64 bas 64 utf8 utf"],
    ["a compound of two, and its whole", "e-mail set_up node.js", "e mail email set up setup nod js nodej"],
    ["a compound of more", "read/write/run", "read writ run"],
    ["apostrophes", "don't it's l'homme", "dont it lhomm"],
    ["languages with signs", "C++ and C# in F#", "c++ and c# in f#"],
    ["an address", "https://example.com/a.stl", "http exampl com a stl"],
    ["German", "Größe Straße ÄNDERUNG", "gross strass anderung"],
    ["accents, composed or not", "na\u00efve nai\u0308ve", "naiv naiv"],
    ["Greek and Cyrillic capitals", "ΣΊΣΥΦΟΣ ЖУРНАЛ", "σισυφος журнал"],
    ["compatible forms", "ＡＢＣ ﬁle", "abc fil"],
    ["Chinese in pairs", "转换文件", "转换 换文 文件"],
    ["Chinese among Latin", "转成PDF吗", "转成 pdf 吗"],
    ["Japanese with its long vowel", "サーバー", "サー ーバ バー"],
    ["Thai", "ไทย", "ไท ทย"],
    ["emoji, controls, signs", "🎉 \u0000\u202e … --- ^(a+)+$", "a"],
    ["half a pair", "\ud83d word \udc00", "word"],
  ])("%s", (_, text, expected) => {
    expect(tokensOf(text).join(" ")).toBe(expected);
  });

  it("T26: a word is cut at 64 characters, whatever it is made of", () => {
    expect(tokensOf("a".repeat(100_000))).toEqual(["a".repeat(64)]);
    expect(tokensOf(`a${"\u0301".repeat(100_000)}`)).toEqual(["a"]);
  });

  it("says where in the text each word is", () => {
    const places: string[] = [];
    const text = "  Run e-mail tests";
    readTokens(text, (token, from, to) => places.push(`${token.toString()}=${text.slice(from, to)}`));
    expect(places).toEqual(["run=Run", "e=e", "mail=mail", "email=e-mail", "test=tests"]);
  });

  it("T26: the number of steps grows with the length only", () => {
    const hostile = ["a-", "aB", "a'", "a\u0301", "转", "🎉", "1a", "𝐀", "c#", "'’"];
    for (const piece of hostile) expect(tokensOf(piece.repeat(50_000)).length).toBeLessThanOrEqual(150_000);
  });

  it("never fails, and no token is empty or too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const token of tokensOf(text)) {
          expect(token.length).toBeGreaterThan(0);
          expect(token.length).toBeLessThanOrEqual(128);
        }
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("reads case and compatible forms as one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,40}$/), (text) => {
        expect(tokensOf(text.toUpperCase())).toEqual(tokensOf(text));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
