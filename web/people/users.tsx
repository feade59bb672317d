import { useState } from "preact/hooks";
import type { Finding, User, AddedUser } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { person } from "../lib/session.ts";
import { Confirm, FormDialog } from "../ui/dialog.tsx";
import { Button, Card, FindingNotices, Loaded, ProblemNotice, Tag, Field } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Visible } from "../ui/visible.tsx";
import { Ago } from "../ui/words.tsx";
import { RoleSelect, aboutRole, ShownOnce } from "./account.tsx";
import { TextField, Check, PasswordField, nameRule } from "../ui/fields.tsx";
import { Shell } from "../ui/shell.tsx";
import { Keys } from "./keys.tsx";

type Open = { readonly is: "add" } | { readonly is: "password" | "removal"; readonly user: User };

function Users() {
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
          onAct={() => void remove.run(open.user)}
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

/** With a password that is made and shown once, or one that the admin chooses. */
function AddUser({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("reader");
  const [chooses, setChooses] = useState(false);
  const [chosen, setChosen] = useState("");
  const [made, setMade] = useState<string>();
  const add = useAction(async () => {
    const { password } = await ask<AddedUser>("POST", "/api/users", { name, role, password: chooses ? chosen : null });
    if (password === null) onDone();
    else setMade(password);
  });
  if (made !== undefined) return <MadePassword name={name} password={made} onClose={onDone} />;
  return (
    <FormDialog title="Add a user" action="Add" running={add} onSubmit={() => void add.run()} onClose={onDone}>
      <TextField label="Name" hint={nameRule} autocomplete="off" value={name} onChange={setName} />
      <Field label="Role" hint={aboutRole(role)}>
        <RoleSelect value={role} onChange={setRole} />
      </Field>
      <Check checked={!chooses} onChange={(isOn) => setChooses(!isOn)}>
        Make a password, and show it once
      </Check>
      {chooses && (
        <PasswordField
          hint="At least 12 characters. Tell them, and have them change it in the settings."
          isNew
          value={chosen}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
}

/** RV-12: for somebody who forgot theirs. Nobody chooses it: it is made, and handed over. */
function NewPassword({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { password } = await ask<AddedUser>("PATCH", `/api/users/${segment(name)}`, { password: null });
    setMade(password ?? undefined);
  });
  if (made !== undefined) return <MadePassword name={name} password={made} onClose={onClose} />;
  return (
    <Confirm
      title={`A new password for ${name}?`}
      action="Make it"
      running={make}
      onAct={() => void make.run()}
      onClose={onClose}
    >
      The one they have does not count any more, and they are signed out everywhere. Their keys stay as they are.
    </Confirm>
  );
}

interface MadeProps {
  readonly name: string;
  readonly password: string;
  readonly onClose: () => void;
}

function MadePassword({ name, password, onClose }: MadeProps) {
  return (
    <ShownOnce title={`The password of ${name}`} secret={password} onClose={onClose}>
      It is shown this once. Hand it over, and have them change it in the settings.
    </ShownOnce>
  );
}

/** RV-12: who may come in, and with which keys. */
export function PeoplePage() {
  return (
    <Shell title="Users and keys" about="people sign in, programs carry keys">
      <Users />
      <Keys />
    </Shell>
  );
}
