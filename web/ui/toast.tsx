import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface Told {
  readonly what: ComponentChildren;
}

const told = signal<Told | null>(null);
const milliseconds = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Says that something was done. It stays until it is closed, something else is said, or some time has passed since, on
 * whatever page that is.
 */
export function tellDone(what: ComponentChildren): void {
  clearTimeout(timer);
  timer = setTimeout(() => (told.value = null), milliseconds);
  told.value = { what };
}

export function Toast() {
  const shown = told.value;
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
