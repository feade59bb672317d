import { decodeBase64 } from "./base64.ts";
import { type Encoded, isReadable, joinedBy } from "./content.ts";

/** Strings that code puts together, turns round or shifts before it uses them. */
export function stringsIn(text: string): readonly Encoded[] {
  const strings = Array.from(text.matchAll(/"[^"\n\\]{1,4000}"|'[^'\n\\]{1,4000}'/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  return [...piecesIn(text, strings), ...turnedIn(text, strings)];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** `"aWdub3Jl" + "IGFsbA=="`, `"cu" + "rl"`, `["cu", "rl"].join("")`. */
function piecesIn(text: string, strings: readonly Stretch[]): readonly Encoded[] {
  const chains = [
    ...joinedBy(text, strings, (between) => /^\s{0,10}[+.&]?=?\s{0,10}$/.test(between)),
    ...joinedBy(text, strings, (between) => /^\s{0,10},\s{0,10}$/.test(between)).filter((chain) =>
      isListJoined(text, chain),
    ),
  ];
  return chains.flatMap(({ start, end, joined }): Encoded[] => {
    const pieces = joined.slice(1, -1).split(/""|''|"'|'"/);
    if (pieces.length < 2) return [];
    const whole = pieces.join("");
    if (/^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(whole)) {
      const { bytes: _, ...found } = decodeBase64(whole) ?? {};
      if (found.text !== undefined || found.packed !== undefined)
        return [{ from: "base64 in pieces", start, end, ...found }];
    }
    return isBroken(pieces) && isReadable(whole) ? [{ from: "a string in pieces", start, end, text: whole }] : [];
  });
}

function isListJoined(text: string, { start, end }: Stretch): boolean {
  return (
    /^\s{0,4}\]\s{0,4}\.join\(\s{0,4}(?:''|"")/.test(text.slice(end, end + 24)) ||
    /(?:''|"")\.join\(\s{0,4}[[(]\s{0,4}$/.test(text.slice(Math.max(0, start - 24), start))
  );
}

/** Most pieces end inside a word: a long text is broken between them. */
function isBroken(pieces: readonly string[]): boolean {
  const inWord = pieces.filter((piece, at) => /\w$/.test(piece) && /^\w/.test(pieces[at + 1] ?? "")).length;
  return (
    pieces.every((piece) => piece.length <= 24) &&
    inWord * 2 > pieces.length - 1 &&
    !pieces.every((piece) => /^\w{3,}$/.test(piece))
  );
}

const turns = [
  { from: "rot13", sign: /rot_?13|n-za-m/i, turn: rot13 },
  { from: "reversed text", sign: /\[::-1\]|\brev\b|\.reverse\(|strrev|reversed\(/, turn: reverse },
] as const;

/** How far from the string the word stands that says what is done with it. */
const reach = 200;

function turnedIn(text: string, strings: readonly Stretch[]): readonly Encoded[] {
  return turns.flatMap(({ from, sign, turn }) => {
    if (!sign.test(text)) return [];
    return strings
      .filter(
        ({ start, end }) =>
          end - start >= 8 && sign.test(text.slice(Math.max(0, start - reach), start) + text.slice(end, end + reach)),
      )
      .map(({ start, end }) => ({ from, start, end, text: turn(text.slice(start + 1, end - 1)) }));
  });
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (char) => {
    const base = char <= "Z" ? 65 : 97;
    return String.fromCharCode(base + ((char.charCodeAt(0) - base + 13) % 26));
  });
}

function reverse(text: string): string {
  return Array.from(text).toReversed().join("");
}
