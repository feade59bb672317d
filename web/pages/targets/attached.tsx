import { useState } from "preact/hooks";
import type { AttachedTo, AttachedView, Finding, Skills } from "#contract";
import { ask, segment, withQuery } from "../../lib/api.ts";
import { useAction, useResource } from "../../lib/resource.ts";
import { to } from "../../lib/router.ts";
import { may } from "../../lib/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Button, Card, Empty, Field, Loaded, Notice, ProblemNotice } from "../../ui/parts.tsx";
import { FindingsTag, StateTag } from "../../ui/words.tsx";

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
      {isPicking && <Picker path={path} onDone={() => (setPicking(false), changed())} />}
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
      {findings.map(({ message }) => (
        <Notice key={message} tone="warn">
          {message}
        </Notice>
      ))}
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

/** Offers what may be used, and nothing else. */
function Picker({ path, onDone }: { readonly path: string; readonly onDone: () => void }) {
  const [text, setText] = useState("");
  const skills = useResource<Skills>(withQuery("/api/skills", { state: "enabled", q: text, limit: 30 }));
  const [said, setSaid] = useState<readonly Finding[]>([]);
  const attach = useAction(async (entry: string) => {
    const { findings } = await ask<AttachedTo>("PUT", `${path}/${segment(entry)}`);
    setSaid(findings);
    if (findings.length === 0) onDone();
  });
  return (
    <Dialog title="Attach a skill" onClose={onDone} foot={<Button onClick={onDone}>Done</Button>}>
      <ProblemNotice problem={attach.problem} />
      {said.map(({ message }) => (
        <Notice key={message} tone="warn">
          {message}
        </Notice>
      ))}
      <Field label="Find">
        <input
          type="search"
          value={text}
          placeholder="name, source or description"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <Loaded of={skills}>
        {({ items, more }) =>
          items.length === 0 ? (
            <Empty title="No approved skill fits">
              <a href={to("review")}>Review what waits</a>
            </Empty>
          ) : (
            <ul class="lines">
              {items.map(({ entry, name, findings }) => (
                <li key={entry} class="line">
                  <span class="wrap">
                    <strong>{name}</strong> <span class="faint small">{entry}</span>
                  </span>
                  <FindingsTag findings={findings} />
                  <span class="end">
                    <Button disabled={attach.isRunning} onClick={() => void attach.run(entry)}>
                      Attach
                    </Button>
                  </span>
                </li>
              ))}
              {more > 0 && <li class="line faint">{more} more: type more of the name</li>}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}
