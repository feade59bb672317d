import { useState } from "preact/hooks";
import type { Said, SkillView } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { ShortDigest } from "./digest.tsx";
import { Button } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";
import { ReasonDialog } from "../ui/dialog.tsx";

interface SkillActsProps {
  readonly view: SkillView;
  readonly onDone: () => void;
}

/** What can be done against a skill that is in use, or that must never be. */
export function SkillActs({ view, onDone }: SkillActsProps) {
  const [asking, setAsking] = useState<"disable" | "block" | null>(null);
  const close = () => setAsking(null);
  return (
    <div class="tools">
      {view.inUse !== null && <Button onClick={() => setAsking("disable")}>Disable</Button>}
      {may("administer") && (
        <Button kind="danger" onClick={() => setAsking("block")}>
          Block this digest
        </Button>
      )}
      {asking === "disable" && <Disable view={view} onDone={onDone} onClose={close} />}
      {asking === "block" && <Block view={view} onDone={onDone} onClose={close} />}
    </div>
  );
}

interface ActProps extends SkillActsProps {
  readonly onClose: () => void;
}

function Disable({ view, onDone, onClose }: ActProps) {
  const saying = useAction(async (note: string) => {
    await ask<Said>("POST", `/api/review/${segment(view.entry)}`, { act: "disable", note });
    onClose();
    onDone();
    tellDone(`${view.name} was taken out of use.`);
  });
  return (
    <ReasonDialog
      title={`Disable ${view.name}`}
      action="Take it out of use"
      label="Note"
      running={saying}
      onAct={(note) => void saying.run(note)}
      onClose={onClose}
    >
      <p>It goes out of use at once, on every node and wherever it is attached. It can be approved again.</p>
    </ReasonDialog>
  );
}

/** RV-9. */
function Block({ view, onDone, onClose }: ActProps) {
  const value = view.revision.digest;
  const blocking = useAction(async (reason: string) => {
    const { changed } = await ask<{ changed: number }>("POST", "/api/blocks", { kind: "digest", value, reason });
    onClose();
    onDone();
    tellDone(`The digest is blocked; skills that went out of use with it: ${changed}.`);
  });
  return (
    <ReasonDialog
      title="Block this digest"
      action="Block it"
      label="Reason"
      running={blocking}
      onAct={(reason) => void blocking.run(reason)}
      onClose={onClose}
    >
      <p>
        These bytes, <ShortDigest of={value} />, are used nowhere from now on: from whatever source they come, and also
        when somebody approves them.
      </p>
    </ReasonDialog>
  );
}
