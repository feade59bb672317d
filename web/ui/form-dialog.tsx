import type { ComponentChildren } from "preact";
import type { Action } from "../lib/resource.ts";
import { Dialog } from "./dialog.tsx";
import { Button, ProblemNotice } from "./parts.tsx";

interface FormDialogProps {
  readonly title: string;
  /** The word on the button that does it, and what stands there meanwhile. */
  readonly action: string;
  readonly meanwhile?: string;
  readonly running: Pick<Action<never, unknown>, "isRunning" | "problem">;
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
