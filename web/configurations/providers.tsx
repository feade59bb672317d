import { useState } from "preact/hooks";
import type { Provider } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { Confirm, FormDialog } from "../ui/dialog.tsx";
import { Button, Card, Empty, Loaded, Tag } from "../ui/parts.tsx";
import { TextField, SelectField } from "../ui/fields.tsx";

/** RV-13: the services that are asked. A secret can be set and replaced, and is never shown. */
export function Providers() {
  const all = useResource<readonly Provider[]>("/api/providers");
  const [open, setOpen] = useState<{ readonly is: "add" | "secret" | "remove"; readonly id: string }>();
  const close = () => {
    setOpen(undefined);
    all.reload();
  };
  const remove = useAction(async (id: string) => {
    await ask("DELETE", `/api/providers/${segment(id)}`);
    close();
  });
  return (
    <Card title="Model services" tools={<Button onClick={() => setOpen({ is: "add", id: "" })}>Add a provider</Button>}>
      <Loaded of={all}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No provider yet">
              A configuration needs one: where its model is, and which models may be asked for.
            </Empty>
          ) : (
            <ul class="lines">
              {items.map(({ id, protocol, origin, models, hasSecret }) => (
                <li key={id} class="line">
                  <strong class="wrap">{id}</strong>
                  <Tag>{protocol}</Tag>
                  <span class="wrap">{origin}</span>
                  <span class="mute small wrap">{models.join(", ")}</span>
                  {origin !== "" && (
                    <Tag tone={hasSecret ? "ok" : "warn"}>{hasSecret ? "has a secret" : "no secret"}</Tag>
                  )}
                  <span class="end row">
                    {origin !== "" && (
                      <Button kind="quiet" onClick={() => setOpen({ is: "secret", id })}>
                        {hasSecret ? "Replace the secret" : "Set the secret"}
                      </Button>
                    )}
                    <Button kind="quiet" onClick={() => setOpen({ is: "remove", id })}>
                      Remove
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.is === "add" && <AddProvider onDone={close} />}
      {open?.is === "secret" && <SetSecret id={open.id} onDone={close} />}
      {open?.is === "remove" && (
        <Confirm
          title={`Remove ${open.id}?`}
          action="Remove"
          running={remove}
          onAct={() => void remove.run(open.id)}
          onClose={close}
        >
          Its secret is gone with it. While a configuration names it, it stays.
        </Confirm>
      )}
    </Card>
  );
}

function AddProvider({ onDone }: { readonly onDone: () => void }) {
  const [id, setId] = useState("");
  const [protocol, setProtocol] = useState("openai");
  const [origin, setOrigin] = useState("");
  const [models, setModels] = useState("");
  const add = useAction(async () => {
    const listed = models.split(/[\s,]+/).filter((model) => model !== "");
    await ask("POST", "/api/providers", { id, protocol, ...(protocol !== "echo" && { origin }), models: listed });
    onDone();
  });
  return (
    <FormDialog
      title="Add a provider"
      action="Add"
      running={add}
      isComplete={id !== "" && models.trim() !== "" && (protocol === "echo" || origin !== "")}
      onSubmit={() => void add.run()}
      onClose={onDone}
    >
      <TextField label="Name" autocomplete="off" value={id} onChange={setId} />
      <SelectField
        label="Protocol"
        hint="echo answers from within, with what it was given."
        value={protocol}
        options={["openai", "anthropic", "google", "echo"]}
        onChange={setProtocol}
      />
      {protocol !== "echo" && (
        <TextField
          label="Address"
          hint="Its secret is set afterwards; to change the address discards it."
          type="url"
          placeholder="https://api.example.com/v1"
          value={origin}
          onChange={setOrigin}
        />
      )}
      <TextField
        label="Models"
        hint="Names with blanks between them, or * for any."
        value={models}
        onChange={setModels}
      />
    </FormDialog>
  );
}

function SetSecret({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const [secret, setSecret] = useState("");
  const set = useAction(async () => {
    await ask("PUT", `/api/providers/${segment(id)}/secret`, { secret });
    onDone();
  });
  return (
    <FormDialog
      title={`The secret of ${id}`}
      action="Set it"
      running={set}
      isComplete={secret !== ""}
      onSubmit={() => void set.run()}
      onClose={onDone}
    >
      <TextField
        label="Secret"
        hint="Kept encrypted, bound to this address, and never shown again."
        type="password"
        autocomplete="off"
        value={secret}
        onChange={setSecret}
      />
    </FormDialog>
  );
}
