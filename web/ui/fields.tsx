import { type ComponentChildren, createElement, type TargetedInputEvent } from "preact";
import { Field } from "./parts.tsx";

interface ControlProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface TextProps extends ControlProps {
  readonly type?: "text" | "search" | "url" | "password";
  readonly class?: string;
  readonly title?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly autocapitalize?: "none";
  readonly spellcheck?: boolean;
  readonly inputMode?: "numeric";
  readonly pattern?: string;
}

/** One line of text. */
export function TextField({ label, hint, onChange, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {createElement("input", {
        ...input,
        onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onChange(currentTarget.value),
      })}
    </Field>
  );
}

interface TextAreaProps extends ControlProps {
  readonly class?: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

export function TextAreaField({ label, hint, onChange, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      <textarea {...area} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </Field>
  );
}

interface SelectProps extends ControlProps {
  /** A value with its title, or a value that is its own title. */
  readonly options: readonly (string | readonly [value: string, title: string])[];
}

export function SelectField({ label, hint, value, options, onChange }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
      <Select value={value} options={options} onChange={onChange} />
    </Field>
  );
}

/** The same where the label is not shown. */
export function Select({ label, options, value, onChange, ...more }: Omit<SelectProps, "label"> & { label?: string }) {
  return (
    <select {...more} aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((option) => {
        const [each, title] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={each} value={each}>
            {title}
          </option>
        );
      })}
    </select>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

export function Check({ checked, disabled = false, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** What a name may be, for whoever chooses one. */
export const nameRule = "Lowercase letters, digits, dots, hyphens, underscores. It signs what is decided.";

/** Who somebody is here, as a browser keeps it. */
export function NameField(props: Omit<ControlProps, "label">) {
  return (
    <TextField label="Name" autocomplete="username" autocapitalize="none" spellcheck={false} required {...props} />
  );
}

interface PasswordProps extends Omit<ControlProps, "label"> {
  readonly label?: string;
  /** One that is chosen now: a browser offers to make it, and does not fill in the old one. */
  readonly isNew?: boolean;
}

export function PasswordField({ label = "Password", isNew = false, ...control }: PasswordProps) {
  const autocomplete = isNew ? "new-password" : "current-password";
  return <TextField label={label} type="password" autocomplete={autocomplete} required {...control} />;
}
