import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** Puts a text where it can be pasted from. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      // A browser may refuse it: the text stands beside, to be marked by hand.
      () => setDone(false),
    );
  return (
    <button type="button" class="copy" onClick={() => void copy()} title={label} onBlur={() => setDone(false)}>
      <Icon name={isDone ? "check" : "copy"} />
      <span class="unseen">{isDone ? "Copied" : label}</span>
    </button>
  );
}
