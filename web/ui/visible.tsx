import type { Piece } from "#contract";

/**
 * Controls, bidi marks, zero-width and tag characters, variation selectors, lone surrogates, private use; separators, and
 * every space but the plain one: the same that the server marks in texts of skills (T28).
 */
const unseen =
  /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u{1d159}\ufffc]/u;
const runs = new RegExp(`((?:(?![\\n\\t])${unseen.source})+)`, "u");

/** A text from outside. What cannot be seen in it stands as a mark. */
export function Visible({ text }: { readonly text: string }) {
  if (!unseen.test(text)) return <>{text}</>;
  return (
    <>
      {text
        .split(runs)
        .map((part, index) => (index % 2 === 0 ? part : <UnseenMark codes={Array.from(part, codeOf)} />))}
    </>
  );
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16);
}

/** A line of a file as the server sends it: its pieces tell what is written from what stands for something unseen. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <>
      {joined(pieces).map(({ text, mark, hidden }) => {
        const shown = hidden ? <HiddenPiece text={text} /> : text;
        return mark === "changed" ? <mark>{shown}</mark> : shown;
      })}
    </>
  );
}

/** One mark for what follows one another: a hundred of them in a row say no more. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const goesOn = last?.hidden === true && piece.hidden && last.mark === piece.mark;
    if (goesOn && isCode(last.text) && isCode(piece.text))
      result.splice(-1, 1, { ...last, text: last.text + piece.text });
    else result.push(piece);
  }
  return result;
}

function isCode(text: string): boolean {
  return text.startsWith("\\");
}

/** Tabs and blanks are nothing to be alarmed about; nor is what was left out. */
function HiddenPiece({ text }: { readonly text: string }) {
  if (/^[→·]/u.test(text)) return <span class="blank-mark">{text}</span>;
  if (text.startsWith("…")) return <span class="left-mark">{text}</span>;
  const codes = [...text.matchAll(/\\u\{([0-9a-f]+)\}(×\d+)?/g)].map(([, code = "", times = ""]) => `${code}${times}`);
  const letters = text.replaceAll(/\\u\{[0-9a-f]+\}(?:×\d+)?/g, "");
  // A look-alike stands there with its code; a byte that is no text has none.
  return codes.length === 0 || letters !== "" ? (
    <LookAlike text={letters} codes={codes} />
  ) : (
    <UnseenMark codes={codes} />
  );
}

function LookAlike({ text, codes }: { readonly text: string; readonly codes: readonly string[] }) {
  return (
    <em class="unseen-mark" title="Not what it looks like">
      {text}
      {codes.map((code) => ` ${written(code)}`)}
    </em>
  );
}

/** What cannot be seen, by its codes: hexadecimal, each with `×9` behind it when it comes so often. */
export function UnseenMark({ codes }: { readonly codes: readonly string[] }) {
  const [first = ""] = codes;
  return (
    <em class="unseen-mark" title={nameOf(Number.parseInt(first, 16))}>
      {codes.map(written).join(" ")}
    </em>
  );
}

function written(code: string): string {
  const [digits = "", times] = code.split("×");
  return `U+${digits.toUpperCase().padStart(4, "0")}${times === undefined ? "" : ` ×${times}`}`;
}

const names: readonly (readonly [from: number, to: number, name: string])[] = [
  [0x1b, 0x1b, "Escape: begins a command to a terminal"],
  [0x00, 0x1f, "A control character"],
  [0x7f, 0x9f, "A control character"],
  [0xa0, 0xa0, "A space that does not break"],
  [0xad, 0xad, "A hyphen that is not shown"],
  [0x200b, 0x200d, "It has no width"],
  [0x200e, 0x200f, "It changes the direction of text"],
  [0x202a, 0x202e, "It changes the direction of text"],
  [0x2060, 0x2064, "It has no width"],
  [0x2066, 0x2069, "It changes the direction of text"],
  [0xfe00, 0xfe0f, "A variation selector"],
  [0xfeff, 0xfeff, "A byte order mark, of no width"],
  [0xe0000, 0xe007f, "A tag character: text that no screen shows"],
  [0xe0100, 0xe01ef, "A variation selector"],
];

function nameOf(code: number): string {
  const [, , name = "It cannot be seen"] = names.find(([from, to]) => code >= from && code <= to) ?? [];
  return name;
}
