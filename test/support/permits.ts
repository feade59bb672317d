import { requireRight } from "../../src/registry/accounts/permit.ts";
import type { AccountPolicy, Person, Right } from "../../src/registry/accounts/roles.ts";

const policy: AccountPolicy = { reviewers: true };

/** As a flow gets it: an admin's unless said, and refused to whoever has no such right. */
export function allow(person: Person): ReturnType<typeof requireRight<"administer">>;
export function allow<R extends Right>(person: Person, right: R): ReturnType<typeof requireRight<R>>;
export function allow(person: Person, right: Right = "administer") {
  return requireRight({ person, policy }, right);
}
