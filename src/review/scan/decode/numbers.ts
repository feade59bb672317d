import { contentOf, type Encoded, joinedBy } from "./encoded.ts";

/** Bytes written as numbers: hex, binary, lists of character codes. */
export function numbersIn(text: string): readonly Encoded[] {
  return [...hexIn(text), ...spacedHexIn(text), ...binaryIn(text), ...codesIn(text)];
}

/** Only what reads as text is taken: a digest is hex as well. */
function hexIn(text: string): readonly Encoded[] {
  const runs = Array.from(
    text.matchAll(/(?<![0-9A-WYZa-wyz+/])[0-9a-fA-F]{16,}(?![0-9A-Za-z+/])/g),
    ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    }),
  );
  return joinedBy(text, runs, (between) => /^[ \t\r\n"'+\\]{1,12}$/.test(between)).flatMap(
    ({ start, end, joined }): Encoded[] => {
      const found = contentOf(Buffer.from(joined.slice(0, joined.length - (joined.length % 2)), "hex"));
      return found === undefined ? [] : [{ from: "hex", start, end, ...found }];
    },
  );
}

function spacedHexIn(text: string): readonly Encoded[] {
  const row = /(?:\b(?:0x)?[0-9a-fA-F]{2}[ \t,:;-]{1,3}){7,}(?:0x)?[0-9a-fA-F]{2}\b/g;
  return rowsIn(text, "hex", row, (found) => Buffer.from(found.replace(/0x|[^0-9a-fA-Fx]/g, ""), "hex"));
}

function binaryIn(text: string): readonly Encoded[] {
  return rowsIn(text, "binary", /(?:[01]{8}[ \t\n]?){6,}/g, (found) =>
    Uint8Array.from(found.match(/[01]{8}/g) ?? [], (bits) => Number.parseInt(bits, 2)),
  );
}

/** `String.fromCharCode(99, 117, …)`, `chr(99)+chr(117)`, `bytes([99, …])`: numbers that something makes letters of. */
function codesIn(text: string): readonly Encoded[] {
  if (!/\b(?:fromCharCode|fromCodePoint|chr|bytes|bytearray|char)\b/i.test(text)) return [];
  const row = /(?:\b\d{1,3}(?:[\s,+.()[\]]|chr|char){1,12}){7,}\d{1,3}\b/gi;
  return rowsIn(text, "character codes", row, (found) => {
    const codes = found.match(/\d{1,3}/g) ?? [];
    return codes.every((code) => Number(code) < 256) ? Uint8Array.from(codes, Number) : new Uint8Array();
  });
}

function rowsIn(text: string, from: string, row: RegExp, bytesOf: (found: string) => Uint8Array): readonly Encoded[] {
  return Array.from(text.matchAll(row), ({ index, 0: found }): Encoded => {
    const { bytes: _, ...content } = contentOf(bytesOf(found)) ?? {};
    return { from, start: index, end: index + found.length, ...content };
  });
}
