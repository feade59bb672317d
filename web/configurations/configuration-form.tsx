import { useState } from "preact/hooks";
import type { Configuration } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Field } from "../ui/parts.tsx";
import { trusts } from "../sources/trusts.ts";

interface FormProps {
  /** Null: a new one. */
  readonly before: Configuration | null;
  readonly onClose: () => void;
  readonly onDone: (made: Configuration) => void;
}

/** What a person sets; the server says what of it cannot be. */
export function ConfigurationForm({ before, onClose, onDone }: FormProps) {
  const [id, setId] = useState(before?.id ?? "");
  const [provider, setProvider] = useState(before?.provider ?? "");
  const [model, setModel] = useState(before?.model ?? "");
  const [systemPrompt, setSystemPrompt] = useState(before?.systemPrompt ?? "");
  const [placement, setPlacement] = useState<string>(before?.placement ?? "user");
  const [budget, setBudget] = useState(String(before?.budget ?? ""));
  const [trustFloor, setTrustFloor] = useState<string>(before?.trustFloor ?? "untrusted");
  const [routes, setRoutes] = useState(before?.routing.enabled ?? false);
  const [routable, setRoutable] = useState((before?.routable ?? []).join("\n"));
  const save = useAction(async () => {
    const fields = {
      provider,
      model,
      systemPrompt,
      placement,
      trustFloor,
      routing: { enabled: routes },
      routable: routable.split(/\s+/).filter((each) => each !== ""),
      ...(budget !== "" && { budget: Number(budget) }),
    };
    const made =
      before === null
        ? await ask<Configuration>("POST", "/api/configurations", { id, ...fields })
        : await ask<Configuration>("PATCH", `/api/configurations/${segment(before.id)}`, fields);
    onDone(made);
  });
  return (
    <FormDialog
      title={before === null ? "Add a configuration" : `Change ${before.id}`}
      action="Save"
      running={save}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      {before === null && (
        <Field label="Name" hint="What applications name as their model.">
          <input value={id} autoComplete="off" onInput={({ currentTarget }) => setId(currentTarget.value)} />
        </Field>
      )}
      <Field label="Provider" hint="Which service is asked. Admins set them up.">
        <input value={provider} autoComplete="off" onInput={({ currentTarget }) => setProvider(currentTarget.value)} />
      </Field>
      <Field label="Model">
        <input value={model} autoComplete="off" onInput={({ currentTarget }) => setModel(currentTarget.value)} />
      </Field>
      <Field
        label="System prompt"
        hint="Used where Skillward makes the request; an application's own is never touched."
      >
        <textarea value={systemPrompt} onInput={({ currentTarget }) => setSystemPrompt(currentTarget.value)} />
      </Field>
      <Field label="Skills go into">
        <select value={placement} onChange={({ currentTarget }) => setPlacement(currentTarget.value)}>
          <option value="user">the first user message</option>
          <option value="system">a system message, where trust allows it</option>
        </select>
      </Field>
      <Field
        label="Budget in bytes"
        hint={`Of everything that is put in${before === null ? "; empty for the usual one" : ""}.`}
      >
        <input
          inputMode="numeric"
          pattern="[0-9]+"
          title="a whole number"
          // One that is there does not go away by being left out.
          required={before !== null}
          value={budget}
          onInput={({ currentTarget }) => setBudget(currentTarget.value)}
        />
      </Field>
      <Field label="Least trust" hint="Skills of sources below it are not used.">
        <select value={trustFloor} onChange={({ currentTarget }) => setTrustFloor(currentTarget.value)}>
          {trusts.map(({ id: trust, title }) => (
            <option key={trust} value={trust}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <label class="check">
        <input type="checkbox" checked={routes} onChange={({ currentTarget }) => setRoutes(currentTarget.checked)} />
        Choose more skills by what a request says (routing)
      </label>
      <Field
        label="Routing may choose"
        hint="Ids of skills, or source:<id>, one in a line; empty: only what is attached."
      >
        <textarea class="mono" value={routable} onInput={({ currentTarget }) => setRoutable(currentTarget.value)} />
      </Field>
    </FormDialog>
  );
}
