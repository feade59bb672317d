import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Action } from "../lib/resource.ts";
import { Button, ProblemNotice } from "./parts.tsx";
import { TextAreaField } from "./fields.tsx";

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

/** What a dialog shows of the action that it stands for. */
type Running = Pick<Action<never, unknown>, "isRunning" | "problem">;

interface FormDialogProps {
  readonly title: string;
  /** The word on the button that does it, and what stands there meanwhile. */
  readonly action: string;
  readonly meanwhile?: string;
  readonly running: Running;
  readonly isComplete?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Fields to fill in, and one thing that is done with them. Enter does it, too. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, meanwhile = action, running, isComplete = true, onSubmit, onClose, children } = props;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isComplete) onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="dialog-form" kind="primary" disabled={running.isRunning || !isComplete}>
            {running.isRunning ? meanwhile : action}
          </Button>
        </>
      }
    >
      <form id="dialog-form" class="stack" onSubmit={submit}>
        <ProblemNotice problem={running.problem} />
        {children}
      </form>
    </Dialog>
  );
}

interface ActDialogProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly kind?: "danger" | "primary";
  readonly running: Running;
  readonly isReady?: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
  /** What follows from it. */
  readonly children: ComponentChildren;
}

/** Asked before something is done, with the button that does it. */
export function ActDialog(props: ActDialogProps) {
  const { title, action, kind = "danger", running, isReady = true, onAct, onClose, children } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} disabled={running.isRunning || !isReady} onClick={onAct}>
            {action}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={running.problem} />
      {children}
    </Dialog>
  );
}

/** Asked before something that cannot be taken back as easily as it is done. */
export function Confirm({ children, ...props }: ActDialogProps) {
  return (
    <ActDialog {...props}>
      <p>{children}</p>
    </ActDialog>
  );
}

interface ReasonDialogProps extends Omit<ActDialogProps, "onAct" | "isReady"> {
  /** A reason is needed; a note is not. */
  readonly label: "Note" | "Reason";
  readonly hint?: string;
  readonly onAct: (text: string) => void;
}

/** Asked before something is signed, with the words that go with it. */
export function ReasonDialog({
  label,
  hint = "It is signed with the word.",
  onAct,
  children,
  ...props
}: ReasonDialogProps) {
  const [text, setText] = useState("");
  return (
    <ActDialog {...props} isReady={label === "Note" || text.trim() !== ""} onAct={() => onAct(text)}>
      {children}
      <TextAreaField label={label} hint={hint} maxLength={2000} value={text} onChange={setText} />
    </ActDialog>
  );
}
