import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, foot, children }: DialogProps) {
  const own = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const heading = useId();
  // Before the next key: whoever asked for it may be typing already.
  useLayoutEffect(() => {
    const dialog = own.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => {
      // Whoever took it away knows; the event comes later, when another one may be open.
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    <dialog ref={own} onClose={() => isGone.current || onClose()} aria-labelledby={heading}>
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
      </div>
      <div class="dialog-body">{children}</div>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}
