import { type Keyboard, usualControls, usualSequences } from "../keys.ts";

/** Characters of one paste: as much as fits on a hundred screens. */
export const longestPaste = 100_000;

/** The keys of a line editor, by the names that shells gave them. */
export const chatKeyboard: Keyboard = {
  controls: new Map([
    ...usualControls,
    ["\n", "newline"],
    ["\u0001", "home"],
    ["\u0002", "left"],
    ["\u0005", "end"],
    ["\u0006", "right"],
    ["\u000b", "ctrl-k"],
    ["\u000e", "down"],
    ["\u0010", "up"],
    ["\u001a", "ctrl-z"],
  ]),
  sequences: new Map([
    ...usualSequences,
    ["[3~", "delete"],
    ["[Z", "shift-tab"],
    ["\r", "newline"],
    ["\n", "newline"],
    ["b", "word-left"],
    ["f", "word-right"],
    ["[1;5D", "word-left"],
    ["[1;5C", "word-right"],
    ["[1;3D", "word-left"],
    ["[1;3C", "word-right"],
    ["\u007f", "ctrl-w"],
  ]),
  longestPaste,
  // Sent as it is: what cannot be seen of it is shown by its number, and nothing of it is a key.
  pasted: (text) => text,
};
