import type { Role } from "#contract";

const roles: readonly (readonly [Role, string])[] = [
  ["reader", "sees everything but secrets, and may use configurations"],
  ["operator", "also changes configurations, tasks and attachments"],
  ["reviewer", "decides on skills, where the configuration allows it"],
  ["admin", "everything: sources, providers, users, keys"],
];

/** What somebody with the role may do. */
export function aboutRole(role: string): string | undefined {
  return roles.find(([each]) => each === role)?.[1];
}

interface RoleSelectProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (role: string) => void;
}

export function RoleSelect({ label, value, onChange }: RoleSelectProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {roles.map(([role]) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
    </select>
  );
}
