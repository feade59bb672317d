import type { ComponentChildren } from "preact";
import type { Action } from "../lib/resource.ts";
import { Dialog } from "./dialog.tsx";
import { Button, ProblemNotice } from "./parts.tsx";

interface ConfirmProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly running: Pick<Action<never, unknown>, "isRunning" | "problem">;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What follows from it. */
  readonly children: ComponentChildren;
}

/** Asked before something that cannot be taken back as easily as it is done. */
export function Confirm({ title, action, running, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={running.isRunning} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={running.problem} />
      <p>{children}</p>
    </Dialog>
  );
}
