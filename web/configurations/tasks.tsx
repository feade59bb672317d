import { useState } from "preact/hooks";
import type { Configuration, Task } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { go, place, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { FormDialog } from "../ui/dialog.tsx";
import { Button, Card, Empty, Loaded } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { TargetPage } from "./target.tsx";
import { TextField, TextAreaField, SelectField } from "../ui/fields.tsx";

/** CO-13: prompts that are kept for repeated use, with skills of their own. */
export function TasksPage() {
  const [id] = place.value.parts;
  return id === undefined || id === "" ? <List /> : <One id={id} />;
}

function List() {
  const all = useResource<readonly Task[]>("/api/tasks");
  const [isAdding, setAdding] = useState(false);
  const add = <Button onClick={() => setAdding(true)}>Add a task</Button>;
  return (
    <Shell title="Tasks" about="prompts for repeated use" tools={may("operate") && add}>
      <Loaded of={all}>
        {(items) => (
          <Card>
            {items.length === 0 ? (
              <Empty title="No task yet">A task is a prompt with a place for an input, and skills of its own.</Empty>
            ) : (
              <ul class="lines">
                {items.map(({ id, configuration, template }) => (
                  <li key={id} class="line">
                    <a class="wrap" href={to("tasks", id)}>
                      {id}
                    </a>
                    <span class="faint wrap">{configuration}</span>
                    <span class="mute small wrap">{template.slice(0, 120)}</span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        )}
      </Loaded>
      {isAdding && <TaskForm before={null} onClose={() => setAdding(false)} onDone={({ id }) => go(to("tasks", id))} />}
    </Shell>
  );
}

function One({ id }: { readonly id: string }) {
  const path = `/api/tasks/${segment(id)}`;
  return (
    <TargetPage
      kind="tasks"
      about="task"
      id={id}
      path={path}
      of={useResource<Task>(path)}
      previewOf={({ configuration }) => ({ configuration, task: id })}
      consequence="Whoever runs it is refused from then on. What was recorded of it stays."
      form={(before, form) => <TaskForm before={before} {...form} />}
    >
      {({ configuration, template }) => (
        <Card title="Prompt">
          <div class="card-body stack">
            <p>
              With the configuration <a href={to("configurations", configuration)}>{configuration}</a>
            </p>
            <pre class="text">{template}</pre>
          </div>
        </Card>
      )}
    </TargetPage>
  );
}

interface FormProps {
  readonly before: Task | null;
  readonly onClose: () => void;
  readonly onDone: (made: Task) => void;
}

function TaskForm({ before, onClose, onDone }: FormProps) {
  const configurations = useResource<readonly Configuration[]>("/api/configurations");
  const [id, setId] = useState(before?.id ?? "");
  const [configuration, setConfiguration] = useState(before?.configuration ?? "");
  const [template, setTemplate] = useState(before?.template ?? "{{input}}");
  const chosen = configuration === "" ? (configurations.data?.[0]?.id ?? "") : configuration;
  const save = useAction(async () => {
    const fields = { configuration: chosen, template };
    onDone(
      before === null
        ? await ask<Task>("POST", "/api/tasks", { id, ...fields })
        : await ask<Task>("PATCH", `/api/tasks/${segment(before.id)}`, fields),
    );
  });
  return (
    <FormDialog
      title={before === null ? "Add a task" : `Change ${before.id}`}
      action="Save"
      running={save}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      {before === null && <TextField label="Name" autocomplete="off" value={id} onChange={setId} />}
      <SelectField
        label="Configuration"
        value={chosen}
        options={(configurations.data ?? []).map((each) => each.id)}
        onChange={setConfiguration}
      />
      <TextAreaField
        label="Prompt"
        hint="{{input}} is where the caller's text goes."
        value={template}
        onChange={setTemplate}
      />
    </FormDialog>
  );
}
