import { type Key, type Keyboard, usualControls, usualSequences } from "../keys.ts";

/** What is being typed, and before which of its characters the next one goes. */
export interface Editor {
  readonly text: string;
  readonly at: number;
}

export const emptyEditor: Editor = { text: "", at: 0 };

/** More than any service reads: what does not fit any more is not taken. */
const longestText = 1024 * 1024;

type Edit = (editor: Editor) => Editor;

const edits: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ["left", ({ text, at }) => ({ text, at: before(text, at) })],
  ["right", ({ text, at }) => ({ text, at: after(text, at) })],
  ["word-left", ({ text, at }) => ({ text, at: wordBefore(text, at) })],
  ["word-right", ({ text, at }) => ({ text, at: wordAfter(text, at) })],
  ["home", ({ text, at }) => ({ text, at: lineStart(text, at) })],
  ["end", ({ text, at }) => ({ text, at: lineEnd(text, at) })],
  ["backspace", ({ text, at }) => cut(text, before(text, at), at)],
  ["delete", ({ text, at }) => cut(text, at, after(text, at))],
  ["ctrl-d", ({ text, at }) => cut(text, at, after(text, at))],
  ["ctrl-w", ({ text, at }) => cut(text, blankBefore(text, at), at)],
  ["ctrl-u", ({ text, at }) => cut(text, lineStart(text, at), at)],
  // At the end of a line it is the line break that goes.
  ["ctrl-k", ({ text, at }) => cut(text, at, Math.max(lineEnd(text, at), Math.min(at + 1, text.length)))],
  ["newline", (editor) => insert(editor, "\n")],
]);

/** Pure. Undefined for a key that edits nothing. */
export function edit(editor: Editor, { name, typed }: Key): Editor | undefined {
  if (typed !== "") return insert(editor, typed.replace(/\r\n?/g, "\n"));
  return edits.get(name)?.(editor);
}

export function insert({ text, at }: Editor, typed: string): Editor {
  if (text.length + typed.length > longestText) return { text, at };
  return { text: text.slice(0, at) + typed + text.slice(at), at: at + typed.length };
}

/** Whether the cursor is on the first line of the text, or on the last: from there up and down lead into the past. */
export function isOnFirstLine({ text, at }: Editor): boolean {
  return lineStart(text, at) === 0;
}

export function isOnLastLine({ text, at }: Editor): boolean {
  return lineEnd(text, at) === text.length;
}

/** To the line above or below, as far to the right as it was. */
export function moveLine({ text, at }: Editor, by: -1 | 1): Editor {
  const start = lineStart(text, at);
  const to = by < 0 ? lineStart(text, Math.max(0, start - 1)) : lineEnd(text, at) + 1;
  if (to > text.length || (by < 0 && start === 0)) return { text, at };
  const wanted = Math.min(to + at - start, lineEnd(text, to));
  // Never between the two halves of a character.
  return { text, at: wanted === to ? to : after(text, before(text, wanted)) };
}

function cut(text: string, from: number, to: number): Editor {
  return { text: text.slice(0, from) + text.slice(to), at: from };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const mark = /^\p{M}/u;

/** One character to the left, with the marks that stand on it. */
function before(text: string, at: number): number {
  let to = at;
  do to -= to > 1 && (text.codePointAt(to - 2) ?? 0) > 0xffff ? 2 : 1;
  while (to > 0 && mark.test(text.slice(to, to + 2)));
  return Math.max(0, to);
}

function after(text: string, at: number): number {
  let to = at;
  do to += (text.codePointAt(to) ?? 0) > 0xffff ? 2 : 1;
  while (to < text.length && mark.test(text.slice(to, to + 2)));
  return Math.min(text.length, to);
}

const [inWord, blank] = [/[\p{L}\p{N}\p{M}_]/u, /\s/];

/** Alt-B and Alt-F stop at whatever is no letter. */
function wordBefore(text: string, at: number): number {
  return skipBack(
    text,
    skipBack(text, at, (character) => !inWord.test(character)),
    (character) => inWord.test(character),
  );
}

/** Ctrl-W takes all up to a blank, as in shells. */
function blankBefore(text: string, at: number): number {
  return skipBack(
    text,
    skipBack(text, at, (character) => blank.test(character)),
    (character) => !blank.test(character),
  );
}

function skipBack(text: string, at: number, skips: (character: string) => boolean): number {
  let to = at;
  while (to > 0 && skips(text.slice(before(text, to), to))) to = before(text, to);
  return to;
}

function wordAfter(text: string, at: number): number {
  let to = at;
  while (to < text.length && !inWord.test(text.slice(to, after(text, to)))) to = after(text, to);
  while (to < text.length && inWord.test(text.slice(to, after(text, to)))) to = after(text, to);
  return to;
}

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
