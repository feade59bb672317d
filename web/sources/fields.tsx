import type { Source, Trust } from "#contract";
import { Field } from "../ui/parts.tsx";
import { intervals, intervalTitle, trusts } from "./trusts.ts";

interface ChoiceProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function TrustField({ value, onChange }: ChoiceProps<Trust>) {
  return (
    <Field label="Trust" hint="How far whoever writes there is trusted. It is signed with each approval.">
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Trust)}>
        {trusts.map(({ id, title, about }) => (
          <option key={id} value={id}>
            {title}: {about}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function IntervalField({ value, onChange }: ChoiceProps<number | null>) {
  const known = value === null || intervals.some(([seconds]) => seconds === value);
  return (
    <Field label="Sync" hint="What changed then waits for review.">
      <select
        value={value ?? ""}
        onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? null : Number(currentTarget.value))}
      >
        <option value="">only when asked</option>
        {!known && <option value={value}>{intervalTitle(value)}</option>}
        {intervals.map(([seconds, title]) => (
          <option key={seconds} value={seconds}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function OnChangeField({ value, onChange }: ChoiceProps<Source["onChange"]>) {
  return (
    <Field label="When an approved skill changes" hint="Either way nobody uses the new bytes before a review.">
      <select value={value} onChange={(event) => onChange(event.currentTarget.value === "hold" ? "hold" : "disable")}>
        <option value="disable">take it out of use until it is reviewed</option>
        <option value="hold">keep using the approved revision</option>
      </select>
    </Field>
  );
}

export function TokenField({ value, onChange, hint }: ChoiceProps<string> & { readonly hint: string }) {
  return (
    <Field label="Token" hint={hint}>
      <input
        type="password"
        autocomplete="off"
        maxLength={255}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}
