import type { Overview } from "#contract";
import { Icon } from "../ui/icon.tsx";
import { Card } from "../ui/parts.tsx";
import { linkTo } from "./subject-link.ts";

/** The first steps, with what was done of them. */
export function Tour({ steps }: { readonly steps: NonNullable<Overview["tour"]> }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <Card title="First steps" tools={<span class="mute small">{`${done} of ${steps.length} done`}</span>}>
      <ol class="tour">
        {steps.map(({ title, about, on, done: isDone }, index) => (
          <li class={isDone ? "done" : undefined}>
            <span class="tour-mark" aria-hidden="true">
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            <span>
              <a href={linkTo({ kind: on, id: null })}>{title}</a>
              {isDone && <span class="unseen"> (done)</span>}
              <span class="mute">{about}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
