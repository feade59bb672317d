import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Told {
  readonly what: ComponentChildren;
}

const told = signal<Told | null>(null);

/** Says that something was done. It stays until it is closed, something else is said, or some time has passed. */
export function tellDone(what: ComponentChildren): void {
  told.value = { what };
}

const milliseconds = 12_000;

export function Toast() {
  const shown = told.value;
  useEffect(() => {
    if (shown === null) return;
    const timer = window.setTimeout(() => (told.value = null), milliseconds);
    return () => window.clearTimeout(timer);
  }, [shown]);
  return (
    <div class="toasts" role="status">
      {shown !== null && (
        <div class="toast fade">
          <Icon name="check" />
          <span>{shown.what}</span>
          <button type="button" class="copy" onClick={() => (told.value = null)}>
            <Icon name="close" />
            <span class="unseen">Close</span>
          </button>
        </div>
      )}
    </div>
  );
}
