import { useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Where it is what one came for: a button like others, with its label in sight. */
  readonly isPlain?: boolean;
}

/** Puts a text where it can be pasted from. */
export function Copy({ text, label, isPlain = false }: CopyProps) {
  const [isDone, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      // A browser may refuse it: the text stands beside, to be marked by hand.
      () => setDone(false),
    );
  return (
    <button
      type="button"
      class={isPlain ? "button" : "copy"}
      onClick={() => void copy()}
      title={label}
      onBlur={() => setDone(false)}
    >
      <Icon name={isDone ? "check" : "copy"} />
      <span class={isPlain ? undefined : "unseen"}>{isDone ? "Copied" : label}</span>
    </button>
  );
}
