/** What keys come to when nobody but us reads them. */
export interface Keys {
  /** The lines that were ended with Enter, as they stood then. */
  readonly lines: readonly string[];
  /** As many lines as were wanted, or Ctrl-C, or Ctrl-D on an empty line. */
  readonly ends: boolean;
}

/** Arrows and other keys that a terminal sends as several characters, and what Alt makes of a key. */
// oxlint-disable-next-line no-control-regex
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|[^[O])/g;

const enter = new Set(["\r", "\n"]);
const backspace = new Set(["\u007f", "\b"]);
const [ctrlC, ctrlD, ctrlU] = ["\u0003", "\u0004", "\u0015"];

/** Pure, from the first key on: a sequence that came in two parts is whole the next time. */
export function readKeys(raw: string, wanted: number): Keys {
  const lines: string[] = [];
  let line: string[] = [];
  for (const key of raw.replace(sequences, "").replaceAll("\r\n", "\r")) {
    if (key === ctrlC || (key === ctrlD && line.length === 0)) return { lines, ends: true };
    if (enter.has(key)) {
      lines.push(line.join(""));
      if (lines.length === wanted) return { lines, ends: true };
      line = [];
    } else if (backspace.has(key)) line.pop();
    else if (key === ctrlU) line = [];
    else if (key >= " ") line.push(key);
  }
  return { lines, ends: false };
}
