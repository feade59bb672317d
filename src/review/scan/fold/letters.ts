/**
 * Letters and digits in another dress: full-width, mathematical, enclosed, raised, small capitals, ligatures, and the
 * few of Latin itself that pass for a plain one. Signs that are used as signs (\u2122, \u2139) stay.
 */
const dressed =
  /[\u00aa\u00ba\u0131\u0192\u0251\u0261\u0262\u026a\u0274\u0280\u028f\u0299\u029c\u029f\u02b0-\u02b8\u02e1-\u02e3\u1d00-\u1d6a\u1d9c-\u1dbf\u2026\u2070-\u209c\u2100-\u211f\u2121\u2123-\u2138\u213a-\u218b\u2460-\u24ff\u2c7c\u3200-\u33ff\ua730\ua731\ufb00-\ufb06\ufe10-\ufe6b\uff01-\uff9f\uffe0-\uffee]|\ud835[\udc00-\udfff]|\ud83c[\udd00-\udd89]/g;

/** Normalised one by one: a long text as a whole would take the square of its length (T26). There are few of them. */
const known = new Map<string, string>(oddLetters());

export function plainLetters(text: string): string {
  return text.replace(dressed, (char) => {
    const plain = known.get(char) ?? plainOf(char);
    known.set(char, plain);
    return plain;
  });
}

function plainOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // White letters on black circles and squares: Unicode gives them no plain form.
  if (code >= 0x1f150 && code <= 0x1f169) return String.fromCharCode(65 + code - 0x1f150);
  if (code >= 0x1f170 && code <= 0x1f189) return String.fromCharCode(65 + code - 0x1f170);
  const plain = char.normalize("NFKC");
  if (!/^[\x20-\x7e]{1,8}$/.test(plain)) return char;
  return /^\((\w)\)$/.exec(plain)?.[1] ?? plain;
}

function* oddLetters(): Iterable<readonly [string, string]> {
  const letters = "abcdefghijklmnoprstuvwyz";
  const capitals =
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22";
  yield* [
    ["\u0131", "i"],
    ["\u0192", "f"],
    ["\u0251", "a"],
    ["\u0261", "g"],
  ] as const;
  for (let at = 0; at < letters.length; at++) yield [capitals.charAt(at), letters.charAt(at)];
}
