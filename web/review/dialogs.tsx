import { useState } from "preact/hooks";
import type { ReviewView } from "#contract";
import type { Action } from "../lib/resource.ts";
import { ShortDigest } from "../skills/digest.tsx";
import { blocks, heaviestFirst, liftedOn } from "../skills/findings.ts";
import { Dialog, ReasonDialog } from "../ui/dialog.tsx";
import { Button, ProblemNotice, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { LevelTag } from "../ui/words.tsx";
import type { Word } from "./deciding.ts";
import { TextAreaField } from "../ui/fields.tsx";

interface DialogProps {
  readonly view: ReviewView;
  readonly saying: Pick<Action<never, unknown>, "isRunning" | "problem">;
  readonly onSay: (word: Word) => void;
  readonly onClose: () => void;
}

const words = {
  reject: {
    title: "Reject",
    button: "Reject these bytes",
    about: "These bytes do not come into use. What changes later waits for a word again.",
  },
  disable: {
    title: "Disable",
    button: "Take it out of use",
    about: "Whatever revision of it is in use goes out of use at once, on every node. It can be approved again.",
  },
} as const;

/** A word against it, with a note for whoever asks why. */
export function NoteDialog({
  act,
  view,
  saying,
  onSay,
  onClose,
}: DialogProps & { readonly act: "reject" | "disable" }) {
  const { title, button, about } = words[act];
  return (
    <ReasonDialog
      title={`${title} ${view.name}`}
      action={button}
      label="Note"
      hint="It is signed with the decision."
      running={saying}
      onAct={(note) => onSay({ act, note })}
      onClose={onClose}
    >
      <p>
        {about} Digest <ShortDigest of={view.revision.digest} />.
      </p>
    </ReasonDialog>
  );
}

/** RV-6: findings are overridden by name, on this digest alone, and never without a reason. */
export function OverrideDialog({ view, saying, onSay, onClose }: DialogProps) {
  const lifted = liftedOn(view.decisions, view.revision.digest);
  const blocking = heaviestFirst(view.revision.findings.filter(blocks));
  const codes = [...new Set(blocking.map(({ code }) => code))];
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const left = codes.filter((code) => !lifted.has(code) && !picked.has(code));
  const isReady = picked.size > 0 && reason.trim() !== "" && !saying.isRunning;
  const draft = { overrides: [...picked], reason };
  const toggle = (code: string) => {
    const next = new Set(picked);
    if (!next.delete(code)) next.add(code);
    setPicked(next);
  };
  return (
    <Dialog
      title={`Override findings of ${view.name}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={!isReady} onClick={() => onSay({ act: "override", ...draft })}>
            Override only
          </Button>
          <Button
            kind="primary"
            disabled={!isReady || left.length > 0}
            title={left.length > 0 ? `${left.join(", ")} would still block it` : undefined}
            onClick={() => onSay({ act: "approve", ...draft })}
          >
            Override and approve
          </Button>
        </>
      }
    >
      <ProblemNotice problem={saying.problem} />
      <p>
        An override holds for these bytes alone: <ShortDigest of={view.revision.digest} />.
      </p>
      <fieldset class="choices">
        <legend>Findings that block it</legend>
        {codes.map((code) => {
          const first = blocking.find((finding) => finding.code === code);
          return (
            <label class="check" key={code}>
              <input type="checkbox" checked={picked.has(code)} onChange={() => toggle(code)} />
              <span class="wrap">
                {first !== undefined && <LevelTag level={first.level} />} <code>{code}</code>{" "}
                {lifted.has(code) && <Tag tone="accent">overridden</Tag>}
                <span class="mute small block">
                  <Visible text={first?.message ?? ""} />
                </span>
              </span>
            </label>
          );
        })}
      </fieldset>
      <TextAreaField
        label="Reason"
        hint="Needed. It is signed with the decision."
        maxLength={2000}
        value={reason}
        onChange={setReason}
      />
    </Dialog>
  );
}
