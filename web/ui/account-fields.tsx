import { Field } from "./parts.tsx";

interface ValueProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** What a name may be, for whoever chooses one. */
export const nameRule = "Lowercase letters, digits, dots, hyphens, underscores. It signs what is decided.";

/** Who somebody is here, as a browser keeps it. */
export function NameField({ hint, value, onChange }: ValueProps & { readonly hint?: string }) {
  return (
    <Field label="Name" hint={hint}>
      <input
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}

interface PasswordProps extends ValueProps {
  readonly label?: string;
  readonly hint?: string;
  /** One that is chosen now: a browser offers to make it, and does not fill in the old one. */
  readonly isNew?: boolean;
}

export function PasswordField({ label = "Password", hint, isNew = false, value, onChange }: PasswordProps) {
  return (
    <Field label={label} hint={hint}>
      <input
        type="password"
        autocomplete={isNew ? "new-password" : "current-password"}
        required
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}
