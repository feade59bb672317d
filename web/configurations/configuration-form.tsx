import { useState } from "preact/hooks";
import type { Configuration } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { FormDialog } from "../ui/dialog.tsx";

import { trusts } from "../sources/fields.tsx";
import { TextField, TextAreaField, SelectField, Check } from "../ui/fields.tsx";

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
        <TextField
          label="Name"
          hint="What applications name as their model."
          autocomplete="off"
          value={id}
          onChange={setId}
        />
      )}
      <TextField
        label="Provider"
        hint="Which service is asked. Admins set them up."
        autocomplete="off"
        value={provider}
        onChange={setProvider}
      />
      <TextField label="Model" autocomplete="off" value={model} onChange={setModel} />
      <TextAreaField
        label="System prompt"
        hint="Used where Skillward makes the request; an application's own is never touched."
        value={systemPrompt}
        onChange={setSystemPrompt}
      />
      <SelectField
        label="Skills go into"
        value={placement}
        options={[
          ["user", "the first user message"],
          ["system", "a system message, where trust allows it"],
        ]}
        onChange={setPlacement}
      />
      <TextField
        label="Budget in bytes"
        hint={`Of everything that is put in${before === null ? "; empty for the usual one" : ""}.`}
        inputMode="numeric"
        pattern="[0-9]+"
        title="a whole number"
        // One that is there does not go away by being left out.
        required={before !== null}
        value={budget}
        onChange={setBudget}
      />
      <SelectField
        label="Least trust"
        hint="Skills of sources below it are not used."
        value={trustFloor}
        options={trusts.map(({ id: trust, title }) => [trust, title] as const)}
        onChange={setTrustFloor}
      />
      <Check checked={routes} onChange={setRoutes}>
        Choose more skills by what a request says (routing)
      </Check>
      <TextAreaField
        label="Routing may choose"
        hint="Ids of skills, or source:<id>, one in a line; empty: only what is attached."
        class="mono"
        value={routable}
        onChange={setRoutable}
      />
    </FormDialog>
  );
}
