import { useState } from "preact/hooks";
import type { AddedKey, ApiKey, Configuration, Finding } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { Confirm, FormDialog } from "../ui/dialog.tsx";
import { Button, Card, Empty, Field, FindingNotices, Loaded, Tag } from "../ui/parts.tsx";
import { Ago } from "../ui/words.tsx";
import { aboutRole, RoleSelect, ShownOnce } from "./account.tsx";
import { Table } from "../ui/table.tsx";
import { TextField } from "../ui/fields.tsx";

export function Keys() {
  const keys = useResource<{ keys: readonly ApiKey[]; findings: readonly Finding[] }>("/api/keys");
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey>();
  const revoke = useAction(async ({ id }: ApiKey) => {
    await ask("DELETE", `/api/keys/${segment(id)}`);
    setLeaving(undefined);
    keys.reload();
  });
  return (
    <Card title="API keys" tools={<Button onClick={() => setAdding(true)}>Make a key</Button>}>
      <Loaded of={keys}>
        {({ keys: all, findings }) => (
          <>
            <FindingNotices of={findings} />
            {all.length === 0 ? (
              <Empty title="No keys yet">Programs need one: for the gateway, for MCP and for this API.</Empty>
            ) : (
              <KeyTable keys={all} onRevoke={setLeaving} />
            )}
          </>
        )}
      </Loaded>
      {isAdding && <MakeKey onDone={() => (setAdding(false), keys.reload())} />}
      {leaving !== undefined && (
        <Confirm
          title={`Revoke ${leaving.name}?`}
          action="Revoke"
          running={revoke}
          onAct={() => void revoke.run(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          Whatever carries it is refused from the next request on. A key that was revoked never works again.
        </Confirm>
      )}
    </Card>
  );
}

function KeyTable({ keys, onRevoke }: { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void }) {
  return (
    <Table
      label="All API keys"
      columns={["Name", "Role", "For", "State", "Since", { title: "Actions", isUnseen: true }]}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td class="wrap">
            {key.name} <span class="faint mono">{key.id}</span>
          </td>
          <td>{key.role}</td>
          <td class="wrap">{key.configurations?.join(", ") ?? "all configurations"}</td>
          <td>
            <Tag tone={key.state === "active" ? "ok" : key.state === "tampered" ? "bad" : "plain"}>{key.state}</Tag>
          </td>
          <td>
            <Ago at={key.createdAt} />
          </td>
          <td class="number">
            {key.state !== "revoked" && (
              <Button kind="quiet" onClick={() => onRevoke(key)}>
                Revoke
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function MakeKey({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("reader");
  const [limits, setLimits] = useState<readonly string[]>([]);
  const [made, setMade] = useState<string>();
  const configurations = useResource<readonly Configuration[]>("/api/configurations");
  const make = useAction(async () => {
    const wanted = { name, role, ...(limits.length > 0 && { configurations: limits }) };
    setMade((await ask<AddedKey>("POST", "/api/keys", wanted)).key);
  });
  if (made !== undefined)
    return (
      <ShownOnce title="Copy the key now" secret={made} onClose={onDone}>
        It is shown this once. Skillward keeps only its hash.
      </ShownOnce>
    );
  return (
    <FormDialog title="Make a key" action="Make it" running={make} onSubmit={() => void make.run()} onClose={onDone}>
      <TextField
        label="Name"
        hint="It signs what is done with the key, as key:name."
        autocomplete="off"
        value={name}
        onChange={setName}
      />
      <Field label="Role" hint={aboutRole(role)}>
        <RoleSelect value={role} onChange={setRole} />
      </Field>
      <fieldset class="choices">
        <legend>Only for these configurations (none chosen: all of them)</legend>
        {configurations.data?.map(({ id }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={limits.includes(id)}
              onChange={({ currentTarget }) =>
                setLimits(currentTarget.checked ? [...limits, id] : limits.filter((each) => each !== id))
              }
            />
            <span class="wrap">{id}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}
