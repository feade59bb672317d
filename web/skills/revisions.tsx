import { useState } from "preact/hooks";
import type { RevisionLine, SkillDiff, Said } from "#contract";
import { segment, withQuery, ask } from "../lib/api.ts";
import { short } from "../lib/format.ts";
import { useResource, useAction } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { Button, Card, Loaded, Tag } from "../ui/parts.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { WordTag } from "./decisions.tsx";
import { DeltaCard } from "./delta.tsx";
import { DiffView } from "./diff.tsx";
import type { DiffMode } from "./diff-table.tsx";
import { ShortDigest, WholeDigest } from "./digest.tsx";
import { nothingFound } from "./findings.ts";
import { Table } from "../ui/table.tsx";
import { ActDialog } from "../ui/dialog.tsx";
import { tellDone } from "../ui/toast.tsx";
import { TextAreaField } from "../ui/fields.tsx";

interface Pair {
  readonly from: string;
  readonly to: string;
}

/** The revisions that are kept of an entry (RV-2): any two compared, and the way back to an older one (RV-1). */
export function RevisionsView({ entry, mode }: { readonly entry: string; readonly mode: DiffMode }) {
  const kept = useResource<{ readonly revisions: readonly RevisionLine[] }>(`/api/skills/${segment(entry)}/revisions`);
  const [pair, setPair] = useState<Pair | null>(null);
  const [back, setBack] = useState<string | null>(null);
  return (
    <Loaded of={kept}>
      {({ revisions }) => {
        const [newest, before] = revisions;
        const chosen = pair ?? { from: before?.digest ?? "", to: newest?.digest ?? "" };
        return (
          <div class="stack">
            <RevisionTable revisions={revisions} chosen={chosen} onChoose={setPair} onBack={setBack} />
            {chosen.from !== "" && chosen.from !== chosen.to && <Comparison entry={entry} pair={chosen} mode={mode} />}
            {back !== null && (
              <RollBack entry={entry} digest={back} onDone={kept.reload} onClose={() => setBack(null)} />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

interface TableProps {
  readonly revisions: readonly RevisionLine[];
  readonly chosen: Pair;
  readonly onChoose: (pair: Pair) => void;
  readonly onBack: (digest: string) => void;
}

function RevisionTable({ revisions, chosen, onChoose, onBack }: TableProps) {
  return (
    <Card title="Revisions that are kept">
      <Table
        label="Revisions"
        columns={["From", "To", "Revision", "Commit", "First seen", "Words", { title: "What to do", isUnseen: true }]}
      >
        {revisions.map((revision) => (
          <tr key={revision.digest}>
            <Choice name="from" of={revision} chosen={chosen} onChoose={onChoose} />
            <Choice name="to" of={revision} chosen={chosen} onChoose={onChoose} />
            <td>
              <ShortDigest of={revision.digest} /> {revision.current && <Tag>current</Tag>}{" "}
              {revision.inUse && <Tag tone="ok">in use</Tag>}
            </td>
            <td>{revision.commit === null ? "–" : <code>{revision.commit.slice(0, 7)}</code>}</td>
            <td>
              <Ago at={revision.seenAt} />
            </td>
            <td class="wrap">
              <Words of={revision} />
            </td>
            <td>
              {may("review") && !revision.current && !revision.inUse && (
                <Button onClick={() => onBack(revision.digest)}>Roll back</Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

interface ChoiceProps {
  readonly name: keyof Pair;
  readonly of: RevisionLine;
  readonly chosen: Pair;
  readonly onChoose: (pair: Pair) => void;
}

function Choice({ name, of: { digest }, chosen, onChoose }: ChoiceProps) {
  return (
    <td>
      <input
        type="radio"
        name={`revision-${name}`}
        aria-label={`Compare ${name} ${short(digest)}`}
        checked={chosen[name] === digest}
        onChange={() => onChoose({ ...chosen, [name]: digest })}
      />
    </td>
  );
}

function Words({ of: { decisions } }: { readonly of: RevisionLine }) {
  return (
    <ul class="stack">
      {decisions.map(({ word, by, at, note }) => (
        <li>
          <WordTag word={word} /> <Visible text={by} />{" "}
          <span class="mute">
            <Ago at={at} />
          </span>
          {note !== "" && (
            <div class="mute">
              <Visible text={note} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Comparison({ entry, pair, mode }: { readonly entry: string; readonly pair: Pair; readonly mode: DiffMode }) {
  const diff = useResource<SkillDiff>(withQuery(`/api/skills/${segment(entry)}/diff`, { ...pair }));
  return (
    <Loaded of={diff}>
      {(changes) => (
        <>
          <DeltaCard title={`From ${short(pair.from)} to ${short(pair.to)}`} delta={changes.delta} />
          <DiffView diff={changes} found={nothingFound} mode={mode} />
        </>
      )}
    </Loaded>
  );
}

interface RollBackProps {
  readonly entry: string;
  readonly digest: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** RV-1: an older revision is approved, and is what is used from then on. */
function RollBack({ entry, digest, onDone, onClose }: RollBackProps) {
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
    <ActDialog
      title="Roll back to an older revision"
      action="Approve this older revision"
      kind="primary"
      running={approving}
      onAct={() => void approving.run()}
      onClose={onClose}
    >
      <p>These bytes are used from now on, on every node. What the source holds now stays out of use.</p>
      <WholeDigest of={digest} />
      <TextAreaField label="Note" maxLength={2000} value={note} onChange={setNote} />
    </ActDialog>
  );
}
