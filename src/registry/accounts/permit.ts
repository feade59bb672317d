import { AppError } from "../../core/error.ts";
import { type AccountPolicy, type Person, type Right, whyForbidden } from "./roles.ts";

/** Which rights stand for another one: a permit for more is one for less. The table of roles says the same. */
interface Including {
  readonly read: Right;
  readonly operate: "operate" | "administer";
  readonly review: "review" | "administer";
  readonly administer: "administer";
}

/** Exported as a type alone: nobody else makes one, and no object that looks alike is one. */
class CheckedRight<R extends Right> {
  readonly person: Person;
  readonly #right: R;

  constructor(person: Person, right: R) {
    this.person = person;
    this.#right = right;
  }

  get right(): R {
    return this.#right;
  }
}

export type { CheckedRight };

/**
 * The proof that this person's right was checked, which whatever changes state demands by type (RV-12, T43). It is good
 * for the request that it was made in: it is handed on as an argument and kept nowhere, since a role can be taken away.
 */
export type Permit<R extends Right> = CheckedRight<Including[R]>;

/** In whose hands a flow runs. */
export interface UserContext {
  readonly person: Person;
  readonly policy: AccountPolicy;
}

/** Refuses what the person's role does not allow; nothing has happened yet when it throws (RV-12, T43). */
export function requireRight<R extends Right>({ person, policy }: UserContext, right: R): CheckedRight<R> {
  const why = whyForbidden(person, right, policy);
  if (why !== undefined) throw new AppError("auth.forbidden", why);
  return new CheckedRight(person, right);
}

/**
 * Who acts where no user asks, so that the audit says so; its rights are checked as anybody's. Where one is made is
 * listed in test/house/permits.test.ts.
 */
export function machinePerson(name: string): Person {
  return { name, role: "admin", configurations: null };
}
