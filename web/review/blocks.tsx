import { useState } from "preact/hooks";
import type { BlockWord, SkillView } from "#contract";
import { ask } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { may } from "../lib/session.ts";
import { Button, Notice } from "../ui/parts.tsx";
import { tellDone } from "../ui/toast.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { ReasonDialog } from "../ui/dialog.tsx";

/** RV-9: the blocks that keep a skill out of use, and the way to lift them. */
export function Blocks({ view, onLifted }: { readonly view: SkillView; readonly onLifted: () => void }) {
  const blocks = useResource<readonly BlockWord[]>(view.state === "blocked" ? "/api/blocks" : null);
  const [lifting, setLifting] = useState<BlockWord | null>(null);
  const fitting = (blocks.data ?? []).filter((block) => fits(block, view));
  if (fitting.length === 0) return null;
  return (
    <Notice tone="bad">
      <ul class="stack">
        {fitting.map((block) => (
          <li class="row" key={block.seq}>
            <span class="wrap">
              This {block.kind} was blocked by <Visible text={block.by} /> <Ago at={block.at} />:{" "}
              <Visible text={block.note} />
            </span>
            {may("administer") && <Button onClick={() => setLifting(block)}>Lift the block</Button>}
          </li>
        ))}
      </ul>
      {lifting !== null && <Lift block={lifting} onLifted={onLifted} onClose={() => setLifting(null)} />}
    </Notice>
  );
}

function fits({ kind, value }: BlockWord, { entry, source, revision, provenance }: SkillView): boolean {
  if (kind === "digest") return value === revision.digest;
  if (kind === "entry") return value === entry;
  return kind === "source" ? value === source : value === String(provenance.repositoryId);
}

interface LiftProps {
  readonly block: BlockWord;
  readonly onLifted: () => void;
  readonly onClose: () => void;
}

function Lift({ block: { kind, value }, onLifted, onClose }: LiftProps) {
  const saying = useAction(async (reason: string) => {
    await ask("POST", "/api/blocks/lift", { kind, value, reason });
    onClose();
    onLifted();
    tellDone("The block was lifted.");
  });
  return (
    <ReasonDialog
      title="Lift the block"
      action="Lift it"
      label="Reason"
      running={saying}
      onAct={(reason) => void saying.run(reason)}
      onClose={onClose}
    >
      <p>What was approved comes into use again wherever this {kind} kept it out.</p>
    </ReasonDialog>
  );
}
