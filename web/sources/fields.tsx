import type { Source, Trust, UsualTrust } from "#contract";

import { TextField, SelectField } from "../ui/fields.tsx";

/** What a source is trusted when nobody says more; held by its type to what the server does then. */
export const usualTrust: UsualTrust = "community";

export const trusts: readonly { readonly id: Trust; readonly title: string; readonly about: string }[] = [
  { id: "untrusted", title: "untrusted", about: "anybody" },
  { id: "community", title: "community", about: "known in public, not to you" },
  { id: "verified", title: "verified", about: "you know who they are" },
  { id: "first_party", title: "first party", about: "yourselves" },
];

/** Intervals to choose from, in seconds. */
const intervals: readonly (readonly [seconds: number, title: string])[] = [
  [900, "every 15 minutes"],
  [3600, "every hour"],
  [21_600, "every 6 hours"],
  [86_400, "every day"],
  [604_800, "every week"],
];

export function intervalTitle(seconds: number | null): string {
  if (seconds === null) return "only when asked";
  return intervals.find(([each]) => each === seconds)?.[1] ?? `every ${seconds} seconds`;
}

interface ChoiceProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function TrustField({ value, onChange }: ChoiceProps<Trust>) {
  return (
    <SelectField
      label="Trust"
      hint="How far whoever writes there is trusted. It is signed with each approval."
      value={value}
      options={trusts.map(({ id, title, about }) => [id, `${title}: ${about}`] as const)}
      onChange={(trust) => onChange(trust as Trust)}
    />
  );
}

export function IntervalField({ value, onChange }: ChoiceProps<number | null>) {
  const isOther = value !== null && !intervals.some(([seconds]) => seconds === value);
  const choices = [null, ...(isOther ? [value] : []), ...intervals.map(([seconds]) => seconds)];
  return (
    <SelectField
      label="Sync"
      hint="What changed then waits for review."
      value={String(value ?? "")}
      options={choices.map((seconds) => [String(seconds ?? ""), intervalTitle(seconds)] as const)}
      onChange={(chosen) => onChange(chosen === "" ? null : Number(chosen))}
    />
  );
}

export function OnChangeField({ value, onChange }: ChoiceProps<Source["onChange"]>) {
  return (
    <SelectField
      label="When an approved skill changes"
      hint="Either way nobody uses the new bytes before a review."
      value={value}
      options={[
        ["disable", "take it out of use until it is reviewed"],
        ["hold", "keep using the approved revision"],
      ]}
      onChange={(chosen) => onChange(chosen === "hold" ? "hold" : "disable")}
    />
  );
}

export function TokenField({ value, onChange, hint }: ChoiceProps<string> & { readonly hint: string }) {
  return (
    <TextField
      label="Token"
      hint={hint}
      type="password"
      autocomplete="off"
      maxLength={255}
      value={value}
      onChange={onChange}
    />
  );
}
