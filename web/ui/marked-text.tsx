import type { Piece } from "#contract";
import { UnseenMark, Visible } from "./visible.tsx";

/** Around the codes of what cannot be seen. The server marks characters of private use, so no file has these as they are. */
const [opens, closes] = ["\ue000", "\ue001"];
const marks = /\ue000((?:[0-9a-f]{1,6}(?:×\d+)?,?)+)\ue001/u;

/**
 * A file as one text, for what reads Markdown: tabs and blanks are themselves again, and what cannot be seen is its codes
 * between two marks, which `MarkedText` shows.
 */
export function markedTextOf(lines: readonly (readonly Piece[])[]): string {
  return lines.map((pieces) => pieces.map(markedPiece).join("")).join("\n");
}

function markedPiece({ text, hidden }: Piece): string {
  if (!hidden) return text;
  const [, blank = "", times = "1"] = /^([→·])(?:×(\d+))?$/u.exec(text) ?? [];
  if (blank !== "") return (blank === "→" ? "\t" : " ").repeat(Number(times));
  // A look-alike is itself, with its code behind it.
  return text.replaceAll(/\\u\{([0-9a-f]+)\}(×\d+)?/g, `${opens}$1$2${closes}`);
}

export function MarkedText({ text }: { readonly text: string }) {
  if (!text.includes(opens)) return <Visible text={text} />;
  return (
    <>
      {text
        .split(marks)
        .map((part, index) => (index % 2 === 0 ? <Visible text={part} /> : <UnseenMark codes={part.split(",")} />))}
    </>
  );
}
