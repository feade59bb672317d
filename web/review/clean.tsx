import { useState } from "preact/hooks";
import type { CleanReport, Queue } from "#contract";
import { ask } from "../lib/api.ts";
import { counted, short } from "../lib/format.ts";
import { useAction } from "../lib/resource.ts";
import { ActDialog, Dialog } from "../ui/dialog.tsx";
import { Button } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { cleanIn } from "./groups.ts";
import { Check } from "../ui/fields.tsx";

interface CleanProps {
  readonly queue: Queue;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** RV-5: a word in bulk for what is clean, as it is listed here and nothing else; each of them is signed by itself. */
export function CleanDialog({ queue, onDone, onClose }: CleanProps) {
  const [withoutGrants, setWithoutGrants] = useState(true);
  const [done, setDone] = useState<Done | null>(null);
  // What was listed when it was opened: whatever comes in while somebody reads is not among it.
  const [clean] = useState(() => cleanIn(queue));
  // RV-5: with one approval more it is still one short.
  const isHalfOnly = clean.some(({ approvals: { needed, by } }) => needed - by.length > 1);
  const approving = useAction(async () => {
    const entries = clean.map(({ entry, current }) => ({ entry, digest: current }));
    setDone({
      ...(await ask<CleanReport>("POST", "/api/review/approve-clean", { entries, withoutGrants })),
      isHalfOnly,
    });
    onDone();
  });
  if (done !== null) return <CleanDone done={done} onClose={onClose} />;
  return (
    <ActDialog
      title="Approve what is clean"
      action={`Approve ${counted(clean.length, "skill")}`}
      kind="primary"
      running={approving}
      onAct={() => void approving.run()}
      onClose={onClose}
    >
      <p>
        Nothing was found in {counted(clean.length, "skill")}. Each gets a signed word of its own on the digest that is
        listed, and comes into use
        {isHalfOnly && " once as many people have approved it as are asked for"}. What changes meanwhile is left out.
      </p>
      {queue.more > 0 && (
        <p class="mute">
          {counted(queue.more, "more waits", "more wait")}, and {queue.more === 1 ? "is" : "are"} not looked at here.
        </p>
      )}
      <ul class="clean-list" tabIndex={0} aria-label="What is clean">
        {clean.map(({ entry, name, current }) => (
          <li class="wrap" title={entry}>
            <Visible text={name} /> <code class="faint">{short(current)}</code>
          </li>
        ))}
      </ul>
      <Check checked={withoutGrants} onChange={setWithoutGrants}>
        Do not pre-approve the tools that they ask for
      </Check>
    </ActDialog>
  );
}

interface Done extends CleanReport {
  readonly isHalfOnly: boolean;
}

function CleanDone({ done, onClose }: { readonly done: Done; readonly onClose: () => void }) {
  const { approved, withGrants, leftOut, isHalfOnly } = done;
  return (
    <Dialog title="Approved" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <p>
        {counted(approved.length, "skill")}{" "}
        {isHalfOnly ? "have your approval; those that need two wait for another person" : "came into use"}
        {withGrants.length > 0 && `, ${withGrants.length} of them with pre-approved tools`}.
      </p>
      {leftOut.length > 0 && (
        <>
          <p>{counted(leftOut.length, "skill")} are left for a closer look:</p>
          <ul class="clean-list" tabIndex={0} aria-label="What is left">
            {leftOut.map(({ entry, why }) => (
              <li class="wrap">
                <Visible text={entry} /> <span class="mute">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
