import { useState } from "preact/hooks";
import type { Finding, User } from "#contract";
import { ask, segment } from "../../lib/api.ts";
import { useAction, useResource } from "../../lib/resource.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Button, Card, Field, FindingNotices, Loaded, ProblemNotice, Tag } from "../../ui/parts.tsx";
import { Ago } from "../../ui/words.tsx";
import { aboutRole, RoleSelect } from "./role-select.tsx";
import { Table } from "../../ui/table.tsx";

export function Users() {
  const users = useResource<{ users: readonly User[]; findings: readonly Finding[] }>("/api/users");
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<User>();
  const change = useAction(async (name: string, wanted: object) => {
    await ask("PATCH", `/api/users/${segment(name)}`, wanted);
    users.reload();
  });
  const remove = useAction(async ({ name }: User) => {
    await ask("DELETE", `/api/users/${segment(name)}`);
    setLeaving(undefined);
    users.reload();
  });
  return (
    <Card title="Users" tools={<Button onClick={() => setAdding(true)}>Add a user</Button>}>
      <ProblemNotice problem={change.problem} />
      <Loaded of={users}>
        {({ users: all, findings }) => (
          <>
            <FindingNotices of={findings} />
            <Table label="All users" columns={["Name", "Role", "State", "Since", { title: "Actions", isUnseen: true }]}>
              {all.map((user) => (
                <tr key={user.name}>
                  <td class="wrap">{user.name}</td>
                  <td>
                    <RoleSelect
                      label={`Role of ${user.name}`}
                      value={user.role}
                      onChange={(role) => void change.run(user.name, { role })}
                    />
                  </td>
                  <td>
                    <Tag tone={user.state === "enabled" ? "ok" : user.state === "tampered" ? "bad" : "plain"}>
                      {user.state}
                    </Tag>
                  </td>
                  <td>
                    <Ago at={user.createdAt} />
                  </td>
                  <td class="number">
                    <Button
                      kind="quiet"
                      onClick={() =>
                        void change.run(user.name, { state: user.state === "enabled" ? "disabled" : "enabled" })
                      }
                    >
                      {user.state === "enabled" ? "Disable" : "Enable"}
                    </Button>
                    <Button kind="quiet" onClick={() => setLeaving(user)}>
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          </>
        )}
      </Loaded>
      {isAdding && <AddUser onDone={() => (setAdding(false), users.reload())} />}
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${leaving.name}?`}
          action="Remove"
          running={remove}
          onConfirm={() => void remove.run(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          They are signed out at once, and their keys are revoked with them. What they decided stays, signed.
        </Confirm>
      )}
    </Card>
  );
}

function AddUser({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("reader");
  const [password, setPassword] = useState("");
  const add = useAction(async () => {
    await ask("POST", "/api/users", { name, role, password });
    onDone();
  });
  return (
    <FormDialog title="Add a user" action="Add" running={add} onSubmit={() => void add.run()} onClose={onDone}>
      <Field label="Name" hint="Lowercase letters, digits, dots, hyphens. It signs what they decide.">
        <input value={name} autoComplete="off" onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </Field>
      <Field label="Role" hint={aboutRole(role)}>
        <RoleSelect value={role} onChange={setRole} />
      </Field>
      <Field label="Password" hint="At least 12 characters. Tell them, and have them change it in the settings.">
        <input
          type="password"
          value={password}
          autoComplete="new-password"
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
