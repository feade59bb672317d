import type { Piece } from "../../../diff/visible.ts";
import { type Line, type Look, span } from "../../line.ts";

/** A line of a file: what cannot be seen stands out, and so does what changed in it (T28). */
export function lineOf(pieces: readonly Piece[], look: readonly Look[] = []): Line {
  return pieces.map(({ text, mark, hidden }) => {
    const changed: readonly Look[] = mark === "changed" ? ["bold", "underline"] : [];
    if (!hidden) return span(text, ...look, ...changed);
    return { ...span(text, "reverse", "yellow", ...changed), isWhole: true };
  });
}
