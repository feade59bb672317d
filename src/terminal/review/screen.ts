import { type Line, paint } from "../line.ts";

/** The other screen, no cursor, no wrapping at the edge; what is pasted is told from what is typed. */
const open = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[2J";
const close = "\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l";

export interface Screen {
  open(): void;
  /** Writes only the lines that are not there yet. */
  draw(frame: readonly Line[]): void;
  /** The next frame is written as a whole. */
  forget(): void;
  /** Everything as it was. */
  close(): void;
}

export function createScreen(output: { write(text: string): unknown }, hasColours: boolean): Screen {
  let shown: readonly string[] = [];
  let isForgotten = false;
  return {
    open: () => output.write(open),
    draw(frame) {
      const lines = frame.map((spans) => paint(spans, hasColours));
      const changed = lines.flatMap((text, row) =>
        text === shown[row] ? [] : [`\u001b[${row + 1};1H\u001b[0m\u001b[2K${text}`],
      );
      if (isForgotten || changed.length > 0)
        output.write(`${isForgotten ? "\u001b[0m\u001b[2J" : ""}${changed.join("")}`);
      [shown, isForgotten] = [lines, false];
    },
    forget() {
      [shown, isForgotten] = [[], true];
    },
    close: () => output.write(close),
  };
}
