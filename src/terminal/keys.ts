import { hasUnseen } from "../core/text.ts";

/** One key. A letter is its own name. */
export interface Key {
  readonly name: string;
  /** What a field takes of it; empty for a key that writes nothing. */
  readonly typed: string;
}

/** What has come so far of something that is not whole yet. */
export interface Held {
  readonly text: string;
  /** In the middle of something pasted. */
  readonly pasted: string | null;
}

export const nothingHeld: Held = { text: "", pasted: null };

/** What the keys of a program are called. What has no name does nothing. */
export interface Keyboard {
  readonly controls: ReadonlyMap<string, string>;
  /** By what follows the escape character. */
  readonly sequences: ReadonlyMap<string, string>;
  /** Of something pasted; the rest is left out. */
  readonly longestPaste: number;
  /** What is taken of something pasted. */
  readonly pasted: (text: string) => string;
}

/** No key of any terminal is as long. */
const longestSequence = 32;
const [pasteStarts, pasteEnds] = ["\u001b[200~", "\u001b[201~"];
const interrupt = "\u0003";

// oxlint-disable-next-line no-control-regex
const sequence = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^[O])/u;

/** Keys that are the same in every program. */
export const usualSequences: ReadonlyMap<string, string> = new Map([
  ["[A", "up"],
  ["OA", "up"],
  ["[B", "down"],
  ["OB", "down"],
  ["[C", "right"],
  ["OC", "right"],
  ["[D", "left"],
  ["OD", "left"],
  ["[5~", "pageup"],
  ["[6~", "pagedown"],
  ["[H", "home"],
  ["OH", "home"],
  ["[1~", "home"],
  ["[7~", "home"],
  ["[F", "end"],
  ["OF", "end"],
  ["[4~", "end"],
  ["[8~", "end"],
]);

export const usualControls: ReadonlyMap<string, string> = new Map([
  ["\r", "enter"],
  ["\n", "enter"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  ["\u0003", "ctrl-c"],
  ["\u0004", "ctrl-d"],
  ["\u000c", "ctrl-l"],
  ["\u0015", "ctrl-u"],
  ["\u0017", "ctrl-w"],
]);

/** For fields of one line. Ctrl-B and Ctrl-F turn pages. */
const plainKeyboard: Keyboard = {
  controls: new Map([...usualControls, ["\u0002", "pageup"], ["\u0006", "pagedown"]]),
  sequences: usualSequences,
  // More than anyone pastes into a reason.
  longestPaste: 4096,
  pasted: (text) => writable(text.replace(/\s+/g, " ")),
};

/** Pure: the keys that are whole, and what is held back until the rest of it comes. */
export function readKeys(
  held: Held,
  chunk: string,
  keyboard: Keyboard = plainKeyboard,
): { readonly keys: readonly Key[]; readonly held: Held } {
  // By itself it was pressed, and is no part of what is pasted: the end of that was lost.
  const given = held.pasted !== null && chunk === interrupt ? giveUpOn(held, keyboard) : { keys: [], held };
  const keys: Key[] = [...given.keys];
  let { text, pasted } = { text: given.held.text + chunk, pasted: given.held.pasted };
  while (text !== "") {
    if (pasted !== null) {
      const end = text.indexOf(pasteEnds);
      if (end < 0) {
        const joined = joinPaste(pasted, text).slice(0, keyboard.longestPaste);
        return { keys, held: { text: text.slice(1 - pasteEnds.length), pasted: joined } };
      }
      const whole = (pasted + text.slice(0, end)).slice(0, keyboard.longestPaste);
      keys.push({ name: "paste", typed: keyboard.pasted(whole) });
      [text, pasted] = [text.slice(end + pasteEnds.length), null];
    } else if (text.startsWith(pasteStarts)) [text, pasted] = [text.slice(pasteStarts.length), ""];
    else {
      const taken = takeKey(text, keyboard);
      if (taken === undefined) return { keys, held: { text, pasted } };
      if (taken.key !== undefined) keys.push(taken.key);
      text = text.slice(taken.length);
    }
  }
  return { keys, held: { text, pasted } };
}

/** What may be part of the end mark is looked at again with what comes next. */
function joinPaste(pasted: string, text: string): string {
  return pasted + text.slice(0, Math.max(0, text.length + 1 - pasteEnds.length));
}

interface Taken {
  readonly key?: Key;
  readonly length: number;
}

/** Undefined when the rest of it has not come yet. */
function takeKey(text: string, keyboard: Keyboard): Taken | undefined {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (first === "\u001b") return takeSequence(text, keyboard);
  const name = keyboard.controls.get(first);
  if (name !== undefined) return { key: { name, typed: "" }, length: first.length };
  return hasUnseen(first) ? { length: first.length } : { key: { name: first, typed: first }, length: first.length };
}

function takeSequence(text: string, { sequences }: Keyboard): Taken | undefined {
  // What is held down with Alt may mean nothing here, but a key such as Ctrl-C after Escape does.
  if (text.length > 1 && text.charAt(1) < " " && !sequences.has(text.charAt(1))) return { key: escape, length: 1 };
  const whole = sequence.exec(text)?.[0];
  if (whole === undefined) return text.length > longestSequence ? { length: text.length } : undefined;
  const name = sequences.get(whole.slice(1));
  return name === undefined ? { length: whole.length } : { key: { name, typed: "" }, length: whole.length };
}

const escape: Key = { name: "escape", typed: "" };

/** For how many milliseconds the rest of it is waited for; null when nothing is held. */
export function patienceWith({ text, pasted }: Held): number | null {
  if (pasted !== null) return 1000;
  return text === "" ? null : 50;
}

/**
 * When nothing more comes for a while, what is held was the Escape key, or half a key that means nothing, or something
 * pasted whose end was lost: no key would do anything until it came.
 */
export function giveUpOn(
  { text, pasted }: Held,
  keyboard: Keyboard = plainKeyboard,
): { readonly keys: readonly Key[]; readonly held: Held } {
  if (pasted === null) return { keys: text === "\u001b" ? [escape] : [], held: nothingHeld };
  const whole = (pasted + withoutHalfMark(text)).slice(0, keyboard.longestPaste);
  return { keys: [{ name: "paste", typed: keyboard.pasted(whole) }], held: nothingHeld };
}

/** Part of the mark is none of what was pasted. */
function withoutHalfMark(text: string): string {
  const at = text.lastIndexOf("\u001b");
  return at >= 0 && pasteEnds.startsWith(text.slice(at)) ? text.slice(0, at) : text;
}

/** What can be seen. */
function writable(text: string): string {
  return Array.from(text)
    .filter((character) => !hasUnseen(character))
    .join("");
}
