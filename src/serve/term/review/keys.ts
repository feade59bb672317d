import { hasUnseen } from "../../../base/text.ts";

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

/** More than anyone pastes into a reason. */
const longestPaste = 4096;
/** No key of any terminal is as long. */
const longestSequence = 32;
const [pasteStarts, pasteEnds] = ["\u001b[200~", "\u001b[201~"];

// oxlint-disable-next-line no-control-regex
const sequence = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^[O])/u;

const sequences: ReadonlyMap<string, string> = new Map([
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

const controls: ReadonlyMap<string, string> = new Map([
  ["\r", "enter"],
  ["\n", "enter"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  ["\u0002", "pageup"],
  ["\u0003", "ctrl-c"],
  ["\u0004", "ctrl-d"],
  ["\u0006", "pagedown"],
  ["\u000c", "ctrl-l"],
  ["\u0015", "ctrl-u"],
  ["\u0017", "ctrl-w"],
]);

/** Pure: the keys that are whole, and what is held back until the rest of it comes. */
export function readKeys(held: Held, chunk: string): { readonly keys: readonly Key[]; readonly held: Held } {
  const keys: Key[] = [];
  let { text, pasted } = { text: held.text + chunk, pasted: held.pasted };
  while (text !== "") {
    if (pasted !== null) {
      const end = text.indexOf(pasteEnds);
      if (end < 0) return { keys, held: { text: text.slice(1 - pasteEnds.length), pasted: joinPaste(pasted, text) } };
      keys.push({ name: "paste", typed: writable(pasted + text.slice(0, end)) });
      [text, pasted] = [text.slice(end + pasteEnds.length), null];
    } else if (text.startsWith(pasteStarts)) [text, pasted] = [text.slice(pasteStarts.length), ""];
    else {
      const taken = takeKey(text);
      if (taken === undefined) return { keys, held: { text, pasted } };
      if (taken.key !== undefined) keys.push(taken.key);
      text = text.slice(taken.length);
    }
  }
  return { keys, held: { text, pasted } };
}

/** What may be part of the end mark is looked at again with what comes next. */
function joinPaste(pasted: string, text: string): string {
  return (pasted + text.slice(0, Math.max(0, text.length + 1 - pasteEnds.length))).slice(0, longestPaste);
}

interface Taken {
  readonly key?: Key;
  readonly length: number;
}

/** Undefined when the rest of it has not come yet. */
function takeKey(text: string): Taken | undefined {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (first === "\u001b") return takeSequence(text);
  const name = controls.get(first);
  if (name !== undefined) return { key: { name, typed: "" }, length: first.length };
  return hasUnseen(first) ? { length: first.length } : { key: { name: first, typed: first }, length: first.length };
}

function takeSequence(text: string): Taken | undefined {
  // What is held down with Alt means nothing here, but a key such as Ctrl-C after Escape does.
  if (text.length > 1 && text.charAt(1) < " ") return { key: escape, length: 1 };
  const whole = sequence.exec(text)?.[0];
  if (whole === undefined) return text.length > longestSequence ? { length: text.length } : undefined;
  const name = sequences.get(whole.slice(1));
  return name === undefined ? { length: whole.length } : { key: { name, typed: "" }, length: whole.length };
}

const escape: Key = { name: "escape", typed: "" };

/** When nothing more comes for a while, what is held was the Escape key, or half a key that means nothing. */
export function giveUpOn(held: Held): { readonly keys: readonly Key[]; readonly held: Held } {
  if (held.pasted !== null) return { keys: [], held };
  return { keys: held.text === "\u001b" ? [escape] : [], held: nothingHeld };
}

/** One line of what can be seen. */
function writable(text: string): string {
  return Array.from(text.slice(0, longestPaste).replace(/\s+/g, " "))
    .filter((character) => !hasUnseen(character))
    .join("");
}
