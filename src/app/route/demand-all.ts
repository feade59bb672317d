import { AppError } from "../../base/error.ts";
import { safeName } from "../../base/text.ts";
import { type AccountPolicy, demand, type Person } from "../../registry/accounts/roles.ts";

/** RT-5: for whoever is limited to some configurations, what lies outside of them does not exist. */
export function demandAll(person: Person, policy: AccountPolicy, instead: string): void {
  demand(person, "read", policy);
  if (person.configurations === null) return;
  throw new AppError("auth.forbidden", `${safeName(person.name)} is limited to some configurations: ${instead}`);
}
