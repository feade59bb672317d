/** Letters of other scripts by the Latin letter they pass for: Cyrillic, Greek, Armenian, Cherokee. */
const looksLike = [
  "a\u0430\u03b1 b\u0432\u044c c\u0441\u03f2 d\u0501 e\u0435\u0454\u04bd f\u03dd g\u0581 h\u04bb\u0570",
  "i\u0456\u0457\u03b9 j\u0458\u03f3 k\u043a\u03ba l\u04cf m\u043c n\u0578\u043f\u03b7 o\u043e\u03bf\u0585",
  "p\u0440\u03c1 q\u051b r\u0433 s\u0455 t\u0442\u03c4 u\u057d\u03c5 v\u0475\u03bd w\u051d\u0461\u03c9",
  "x\u0445\u03c7 y\u0443\u04af\u03b3 A\u0410\u0391\u13aa B\u0412\u0392\u13f4 C\u0421\u13df D\u13a0",
  "E\u0415\u0395\u13ac G\u050c\u13c0 H\u041d\u0397\u13bb I\u0406\u04c0\u0399 J\u0408\u13ab",
  "K\u041a\u039a\u13e6 L\u13de M\u041c\u039c\u13b7 N\u039d O\u041e\u039f\u0555 P\u0420\u03a1\u13e2 R\u13a1",
  "S\u0405\u054f\u13da T\u0422\u03a4\u13a2 U\u054d V\u0474\u13d9 W\u051c\u13b3 X\u0425\u03a7 Y\u04ae\u03a5",
  "Z\u0396\u13c3",
];

const latin: ReadonlyMap<string, string> = new Map(
  looksLike
    .join(" ")
    .split(" ")
    .flatMap(([letter = "", ...others]) => others.map((other) => [other, letter] as const)),
);

/** A letter that may pass for a Latin one: what a word is searched by. */
const foreign = /[\u0370-\u0588\u13a0-\u13f5]/g;
const inWord = /[A-Za-z\u00c0-\u024f\u0370-\u0588\u13a0-\u13f5]/;

/** A word that mixes Latin letters with others, all of which look like Latin ones. */
interface MixedWord {
  readonly start: number;
  readonly end: number;
  readonly word: string;
  /** As it reads. */
  readonly latin: string;
}

/** In order. Nothing is looked at twice: the search goes on behind each word (T26). */
export function mixedWords(text: string): readonly MixedWord[] {
  const words: MixedWord[] = [];
  let behind = 0;
  foreign.lastIndex = 0;
  for (let found = foreign.exec(text); found !== null; found = foreign.exec(text)) {
    let [start, end] = [found.index, found.index + 1];
    while (start > behind && inWord.test(text.charAt(start - 1))) start--;
    while (end < text.length && inWord.test(text.charAt(end))) end++;
    behind = end;
    foreign.lastIndex = end;
    const word = text.slice(start, end);
    const reads = readsAs(word);
    if (reads !== undefined && (/[A-Za-z]/.test(word) || isHost(text, start, end)))
      words.push({ start, end, word, latin: reads });
  }
  return words;
}

/** With such words as they read. */
export function latinWords(text: string): string {
  const words = mixedWords(text);
  if (words.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, latin: reads } of words) {
    parts.push(text.slice(at, start), reads);
    at = end;
  }
  return `${parts.join("")}${text.slice(at)}`;
}

/** Undefined when some letter of it is no Latin one and does not look like one: then it is a word of its own script. */
function readsAs(word: string): string | undefined {
  const letters = Array.from(word, (char) =>
    /[A-Za-z\u00c0-\u024f]/.test(char) ? (latin.get(char) ?? char) : latin.get(char),
  );
  return letters.includes(undefined) ? undefined : letters.join("");
}

/** A name under a Latin domain, all of it in look-alikes. */
function isHost(text: string, start: number, end: number): boolean {
  return (
    /^\.[a-z]{2,}/.test(text.slice(end, end + 12)) && /(?:\/\/|@|\.)$/.test(text.slice(Math.max(0, start - 2), start))
  );
}
