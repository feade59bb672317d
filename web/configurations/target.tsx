import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../lib/api.ts";
import { type Resource, useAction } from "../lib/resource.ts";
import { go, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Confirm } from "../ui/dialog.tsx";
import { Button, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { AttachedSkills } from "./attached.tsx";
import { CompositionPreview } from "./preview.tsx";

interface TargetProps<Target> {
  /** As the API names them, and one of them in a sentence. */
  readonly kind: "configurations" | "tasks";
  readonly about: string;
  readonly id: string;
  readonly path: string;
  readonly of: Resource<Target>;
  /** Whose model is asked, and which task's prompt. */
  readonly previewOf: (target: Target) => { readonly configuration: string; readonly task?: string };
  /** What follows when it is gone. */
  readonly consequence: string;
  readonly form: (
    target: Target,
    form: { onClose: () => void; onDone: (changed: Target) => void },
  ) => ComponentChildren;
  /** What else is said of it. */
  readonly children: (target: Target) => ComponentChildren;
}

/** What carries skills: those on it, what it says itself, and what comes of both. */
export function TargetPage<Target>(props: TargetProps<Target>) {
  const { kind, about, id, path, of, previewOf, consequence, form, children } = props;
  const [turn, setTurn] = useState(0);
  const [open, setOpen] = useState<"form" | "removal" | null>(null);
  const close = () => setOpen(null);
  const remove = useAction(async () => {
    await ask("DELETE", path);
    go(to(kind));
  });
  const tools = may("operate") && (
    <>
      <Button onClick={() => setOpen("form")}>Change</Button>
      <Button kind="danger" onClick={() => setOpen("removal")}>
        Remove
      </Button>
    </>
  );
  const onDone = (changed: Target) => {
    of.put(changed);
    setTurn(turn + 1);
    close();
  };
  return (
    <Shell title={id} about={about} tools={tools}>
      <Loaded of={of}>
        {(target) => (
          <>
            <div class="split even">
              <div class="stack">
                <AttachedSkills kind={kind} id={id} onChange={() => setTurn(turn + 1)} />
                {children(target)}
              </div>
              <CompositionPreview {...previewOf(target)} turn={turn} />
            </div>
            {open === "form" && form(target, { onClose: close, onDone })}
          </>
        )}
      </Loaded>
      {open === "removal" && (
        <Confirm
          title={`Remove ${id}?`}
          action="Remove"
          running={remove}
          onAct={() => void remove.run()}
          onClose={close}
        >
          {consequence}
        </Confirm>
      )}
    </Shell>
  );
}
