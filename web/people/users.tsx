import { useState } from "preact/hooks";
import type { Finding, User } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { person } from "../lib/session.ts";
import { Confirm } from "../ui/confirm.tsx";
import { Button, Card, FindingNotices, Loaded, ProblemNotice, Tag } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { AddUser } from "./add-user.tsx";
import { NewPassword } from "./new-password.tsx";
import { RoleSelect } from "./role-select.tsx";

type Open = { readonly is: "add" } | { readonly is: "password" | "removal"; readonly user: User };

export function Users() {
  const users = useResource<{ users: readonly User[]; findings: readonly Finding[] }>("/api/users");
  const [open, setOpen] = useState<Open>();
  const close = () => {
    setOpen(undefined);
    users.reload();
  };
  const change = useAction(async (name: string, wanted: object) => {
    await ask("PATCH", `/api/users/${segment(name)}`, wanted);
    users.reload();
  });
  const remove = useAction(async ({ name }: User) => {
    await ask("DELETE", `/api/users/${segment(name)}`);
    close();
  });
  return (
    <Card title="Users" tools={<Button onClick={() => setOpen({ is: "add" })}>Add a user</Button>}>
      <ProblemNotice problem={change.problem} />
      <Loaded of={users}>
        {({ users: all, findings }) => (
          <>
            <FindingNotices of={findings} />
            <Table label="All users" columns={["Name", "Role", "State", "Since", { title: "Actions", isUnseen: true }]}>
              {all.map((user) => (
                <UserRow
                  key={user.name}
                  user={user}
                  onChange={(wanted) => void change.run(user.name, wanted)}
                  onPassword={() => setOpen({ is: "password", user })}
                  onRemove={() => setOpen({ is: "removal", user })}
                />
              ))}
            </Table>
          </>
        )}
      </Loaded>
      {open?.is === "add" && <AddUser onDone={close} />}
      {open?.is === "password" && <NewPassword name={open.user.name} onClose={close} />}
      {open?.is === "removal" && (
        <Confirm
          title={`Remove ${open.user.name}?`}
          action="Remove"
          running={remove}
          onConfirm={() => void remove.run(open.user)}
          onClose={close}
        >
          They are signed out at once, and their keys are revoked with them. What they decided stays, signed.
        </Confirm>
      )}
    </Card>
  );
}

const tones = { enabled: "ok", disabled: "plain", tampered: "bad" } as const;

interface RowProps {
  readonly user: User;
  readonly onChange: (wanted: object) => void;
  readonly onPassword: () => void;
  readonly onRemove: () => void;
}

/** A row that was written by hand can only be removed: changing it would make it a true one, and is refused (T18). */
function UserRow({ user: { name, role, state, createdAt }, onChange, onPassword, onRemove }: RowProps) {
  const isTampered = state === "tampered";
  return (
    <tr>
      <td class="wrap">
        <Visible text={name} />
      </td>
      <td>
        {isTampered ? (
          <Visible text={role} />
        ) : (
          <RoleSelect label={`Role of ${name}`} value={role} onChange={(wanted) => onChange({ role: wanted })} />
        )}
      </td>
      <td>
        <Tag tone={tones[state]}>{state}</Tag>
      </td>
      <td>
        <Ago at={createdAt} />
      </td>
      <td class="number">
        {/* One's own is changed in the settings: a new one would sign out whoever is to read it here. */}
        {!isTampered && name !== person.value?.name && (
          <Button kind="quiet" onClick={onPassword}>
            New password
          </Button>
        )}
        {!isTampered && (
          <Button kind="quiet" onClick={() => onChange({ state: state === "enabled" ? "disabled" : "enabled" })}>
            {state === "enabled" ? "Disable" : "Enable"}
          </Button>
        )}
        <Button kind="quiet" onClick={onRemove}>
          Remove
        </Button>
      </td>
    </tr>
  );
}
