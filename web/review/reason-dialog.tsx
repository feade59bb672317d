import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action } from "../lib/resource.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, Field, ProblemNotice } from "../ui/parts.tsx";

interface ReasonDialogProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly label: "Note" | "Reason";
  /** A reason is needed; a note is not. */
  readonly running: Pick<Action<never, unknown>, "isRunning" | "problem">;
  readonly onAct: (text: string) => void;
  readonly onClose: () => void;
  /** What follows from it. */
  readonly children: ComponentChildren;
}

/** Asked before something is signed, with the words that go with it. */
export function ReasonDialog({ title, action, label, running, onAct, onClose, children }: ReasonDialogProps) {
  const [text, setText] = useState("");
  const isMissing = label === "Reason" && text.trim() === "";
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={running.isRunning || isMissing} onClick={() => onAct(text)}>
            {action}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={running.problem} />
      {children}
      <Field label={label} hint="It is signed with the word.">
        <textarea value={text} maxLength={2000} onInput={(event) => setText(event.currentTarget.value)} />
      </Field>
    </Dialog>
  );
}
