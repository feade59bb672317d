import { useState } from "preact/hooks";
import type { CleanReport, Queue } from "#contract";
import { ask } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { useAction } from "../../lib/resource.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Button, ProblemNotice } from "../../ui/parts.tsx";
import { Visible } from "../../ui/visible.tsx";

interface CleanProps {
  readonly queue: Queue;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** RV-5: a word in bulk for what is clean; each of them is signed by itself. */
export function CleanDialog({ queue, onDone, onClose }: CleanProps) {
  const [withoutGrants, setWithoutGrants] = useState(true);
  const [report, setReport] = useState<CleanReport | null>(null);
  const approving = useAction(async () => {
    setReport(await ask<CleanReport>("POST", "/api/review/approve-clean", { withoutGrants }));
    onDone();
  });
  if (report !== null) return <CleanDone report={report} onClose={onClose} />;
  const clean = queue.items.filter((item) => item.clean);
  const isAll = queue.more === 0;
  return (
    <Dialog
      title="Approve what is clean"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={approving.isRunning} onClick={() => void approving.run()}>
            {isAll ? `Approve ${counted(clean.length, "skill")}` : "Approve all that are clean"}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={approving.problem} />
      <p>
        Nothing was found in {isAll ? counted(clean.length, "skill") : "these, and there may be more of them"}. Each
        gets a signed word of its own on the digest that it has now, and comes into use.
      </p>
      <ul class="clean-list" tabIndex={0} aria-label="What is clean">
        {clean.map(({ entry, name }) => (
          <li class="wrap" title={entry}>
            <Visible text={name} />
          </li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={withoutGrants}
          onChange={(event) => setWithoutGrants(event.currentTarget.checked)}
        />
        Do not pre-approve the tools that they ask for
      </label>
    </Dialog>
  );
}

function CleanDone({ report, onClose }: { readonly report: CleanReport; readonly onClose: () => void }) {
  const { approved, withGrants, leftOut } = report;
  return (
    <Dialog title="Approved" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <p>
        {counted(approved.length, "skill")} came into use
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
