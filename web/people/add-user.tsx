import { useState } from "preact/hooks";
import type { AddedUser } from "#contract";
import { ask } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { nameRule, PasswordField } from "../ui/account-fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Field } from "../ui/parts.tsx";
import { MadePassword } from "./new-password.tsx";
import { aboutRole, RoleSelect } from "./role-select.tsx";

/** With a password that is made and shown once, or one that the admin chooses. */
export function AddUser({ onDone }: { readonly onDone: () => void }) {
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
      <Field label="Name" hint={nameRule}>
        <input value={name} autoComplete="off" onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </Field>
      <Field label="Role" hint={aboutRole(role)}>
        <RoleSelect value={role} onChange={setRole} />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={!chooses}
          onChange={({ currentTarget }) => setChooses(!currentTarget.checked)}
        />
        Make a password, and show it once
      </label>
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
