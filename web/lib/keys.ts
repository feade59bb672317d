import { useLayoutEffect } from "preact/hooks";

/** What one key does on a page; the text is shown in the list of all keys. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` says it: `j`, `Enter`, `?`. */
  readonly key: string;
  readonly about: string;
  readonly act: () => void;
}

/** Bindings of all that is on the screen, the latest last: it wins. */
const bound: KeyBinding[][] = [];

/** What the next key means and nothing else does, for a moment: the second one of two. */
let awaited: readonly KeyBinding[] | undefined;
let ending: number | undefined;
const moment = 1500;

export function awaitNext(bindings: readonly KeyBinding[]): void {
  window.clearTimeout(ending);
  awaited = bindings;
  ending = window.setTimeout(() => (awaited = undefined), moment);
}

function takeAwaited(): readonly KeyBinding[] | undefined {
  window.clearTimeout(ending);
  const taken = awaited;
  awaited = undefined;
  return taken;
}

/** Whoever types into a field, or has a dialog before them, means that. */
function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  // Enter and space mean the button or link that has the focus.
  const isPressed = (event.key === "Enter" || event.key === " ") && /^(?:A|BUTTON|SUMMARY)$/.test(target.tagName);
  return isField || isPressed || document.querySelector("dialog[open]") !== null;
}

/** Pressed on the way to another key. */
const modifiers: ReadonlySet<string> = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

window.addEventListener("keydown", (event) => {
  // A key that is held down repeats: what it does is meant once, but for moving about.
  if (modifiers.has(event.key) || (event.repeat && !/^[jk]$/.test(event.key))) return;
  // Whatever it is, it is the next one. One that was not awaited does not fall through to the page, where it may decide.
  const next = takeAwaited();
  if (isElsewhere(event)) return;
  const groups = next === undefined ? bound.toReversed() : [next];
  const binding = groups.flatMap((group) => group.filter(({ key }) => key === event.key))[0];
  if (binding === undefined) return;
  event.preventDefault();
  binding.act();
});

export function useKeys(bindings: readonly KeyBinding[]): void {
  // With what is on the screen: a key never means what stood there a moment before.
  useLayoutEffect(() => {
    const group = [...bindings];
    bound.push(group);
    return () => void bound.splice(bound.indexOf(group), 1);
  });
}

export function allBindings(): readonly KeyBinding[] {
  const known = new Map(bound.flat().map((binding) => [binding.key, binding]));
  return [...known.values()];
}
