import type { ComponentChildren } from "preact";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Button } from "../ui/parts.tsx";
import type { Role } from "#contract";
import { Select } from "../ui/fields.tsx";

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  /** What it is for. */
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** What was made a moment ago, and can be read here and never again. */
export function ShownOnce({ title, secret, children, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Copy text={secret} label="Copy" isPlain />
          <Button kind="primary" onClick={onClose}>
            I have it
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <code class="wrap secret">{secret}</code>
    </Dialog>
  );
}

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

export function RoleSelect(props: RoleSelectProps) {
  return <Select {...props} options={roles.map(([role]) => role)} />;
}
