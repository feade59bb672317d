import { Shell } from "../ui/shell.tsx";
import { Keys } from "./keys.tsx";
import { Users } from "./users.tsx";

/** RV-12: who may come in, and with which keys. */
export function PeoplePage() {
  return (
    <Shell title="Users and keys" about="people sign in, programs carry keys">
      <Users />
      <Keys />
    </Shell>
  );
}
