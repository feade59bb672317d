import { useState } from "preact/hooks";
import type { Said } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, Field, ProblemNotice } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";
import { ShortDigest, WholeDigest } from "./digest.tsx";

interface RollBackProps {
  readonly entry: string;
  readonly digest: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** RV-1: an older revision is approved, and is what is used from then on. */
export function RollBack({ entry, digest, onDone, onClose }: RollBackProps) {
  const [note, setNote] = useState("");
  const approving = useAction(async () => {
    const said = await ask<Said>("POST", `/api/review/${segment(entry)}`, {
      act: "approve",
      digest,
      rollback: true,
      note,
    });
    onClose();
    onDone();
    tellDone(
      <>
        Rolled back to <ShortDigest of={digest} />: it is {said.standing.state} now.
      </>,
    );
  });
  return (
    <Dialog
      title="Roll back to an older revision"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={approving.isRunning} onClick={() => void approving.run()}>
            Approve this older revision
          </Button>
        </>
      }
    >
      <ProblemNotice problem={approving.problem} />
      <p>These bytes are used from now on, on every node. What the source holds now stays out of use.</p>
      <WholeDigest of={digest} />
      <Field label="Note">
        <textarea value={note} maxLength={2000} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
    </Dialog>
  );
}
