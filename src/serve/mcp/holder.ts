import { sha256 } from "../../base/digest.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Wire } from "../door.ts";
import type { Holder } from "./sessions.ts";

/** Who a session belongs to: this very key, with exactly what it may. Another key of the same user is somebody else. */
export function holderOf({ incoming }: Pick<Wire["Bindings"], "incoming">, person: Person): Holder {
  const { name, role, configurations } = person;
  const shown = [incoming.headersDistinct["authorization"] ?? [], incoming.headersDistinct["x-api-key"] ?? []];
  return { principal: name, mark: sha256(Buffer.from(JSON.stringify([shown, name, role, configurations]))) };
}
