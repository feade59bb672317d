import { useState } from "preact/hooks";
import type { AttachedTo, AttachedView, Finding } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, Card, Empty, FindingNotices, Loaded, ProblemNotice } from "../ui/parts.tsx";
import { SkillPicker } from "../ui/skill-picker.tsx";
import { StateTag } from "../ui/words.tsx";

interface AttachedProps {
  /** `configurations` or `tasks`, as the API names them. */
  readonly kind: string;
  readonly id: string;
  readonly onChange: () => void;
}

/** RV-14: the skills on a target. One that may not be used any more is shown with its reason, never silently gone. */
export function AttachedSkills({ kind, id, onChange }: AttachedProps) {
  const path = `/api/${kind}/${segment(id)}/attached`;
  const view = useResource<AttachedView>(path);
  const [isPicking, setPicking] = useState(false);
  const changed = () => {
    view.reload();
    onChange();
  };
  const detach = useAction(async (entry: string) => {
    await ask("DELETE", `${path}/${segment(entry)}`);
    changed();
  });
  return (
    <Card title="Skills" tools={may("operate") && <Button onClick={() => setPicking(true)}>Attach a skill</Button>}>
      <ProblemNotice problem={detach.problem} />
      <Loaded of={view}>
        {({ attached, capabilities, findings }) => (
          <>
            {attached.length === 0 ? (
              <Empty title="No skill is attached">
                What is attached is in every prompt. Only approved skills can be.
              </Empty>
            ) : (
              <ul class="lines">
                {attached.map(({ entry, state, reason, usable }) => (
                  <li key={entry} class="line">
                    <a class="wrap" href={to("skills", entry)}>
                      {entry}
                    </a>
                    <StateTag state={state} reason={reason} />
                    {!usable && <span class="mute small wrap">{reason}</span>}
                    {may("operate") && (
                      <span class="end">
                        <Button kind="quiet" onClick={() => void detach.run(entry)}>
                          Detach
                        </Button>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            )}
            <Reach capabilities={capabilities} findings={findings} />
          </>
        )}
      </Loaded>
      {isPicking && (
        <Picker
          path={path}
          attached={view.data?.attached.map(({ entry }) => entry) ?? []}
          onDone={() => (setPicking(false), changed())}
        />
      )}
    </Card>
  );
}

const reaches = [
  ["secrets", "Secrets"],
  ["network", "Network"],
  ["shell", "Programs"],
] as const;

/** T35: what all of them together can reach for. */
function Reach({ capabilities, findings }: Omit<AttachedView, "attached">) {
  const known = reaches.filter(([kind]) => capabilities[kind].length > 0);
  if (known.length === 0 && findings.length === 0) return null;
  return (
    <div class="card-body stack">
      <FindingNotices of={findings} />
      <dl class="facts">
        {known.map(([kind, title]) => (
          <>
            <dt>{title}</dt>
            <dd>
              {capabilities[kind].map(({ what, of }) => (
                <div key={what} class="wrap">
                  <code>{what}</code> <span class="faint small">{of.join(", ")}</span>
                </div>
              ))}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}

interface PickerProps {
  readonly path: string;
  readonly attached: readonly string[];
  readonly onDone: () => void;
}

function Picker({ path, attached, onDone }: PickerProps) {
  const [said, setSaid] = useState<readonly Finding[]>([]);
  const attach = useAction(async (entry: string) => {
    const { findings } = await ask<AttachedTo>("PUT", `${path}/${segment(entry)}`);
    setSaid(findings);
    if (findings.length === 0) onDone();
  });
  return (
    <Dialog title="Attach a skill" onClose={onDone} foot={<Button onClick={onDone}>Done</Button>}>
      <ProblemNotice problem={attach.problem} />
      <FindingNotices of={said} />
      <SkillPicker
        action="Attach"
        taken="attached"
        limit={30}
        except={attached}
        disabled={attach.isRunning}
        onPick={(entry) => void attach.run(entry)}
      />
    </Dialog>
  );
}
