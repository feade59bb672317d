import { useState } from "preact/hooks";
import type { AddedUser } from "#contract";
import { ask, segment } from "../lib/api.ts";
import { useAction } from "../lib/resource.ts";
import { Confirm } from "../ui/confirm.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** RV-12: for somebody who forgot theirs. Nobody chooses it: it is made, and handed over. */
export function NewPassword({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
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
      onConfirm={() => void make.run()}
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

export function MadePassword({ name, password, onClose }: MadeProps) {
  return (
    <ShownOnce title={`The password of ${name}`} secret={password} onClose={onClose}>
      It is shown this once. Hand it over, and have them change it in the settings.
    </ShownOnce>
  );
}
