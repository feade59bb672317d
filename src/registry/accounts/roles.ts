import { AppError } from "../../core/error.ts";
import { safeLine, safeName } from "../../core/text.ts";

/** From the least to the most; `reviewer` and `operator` stand beside each other (RV-12). */
export const roles = ["reader", "operator", "reviewer", "admin"] as const;

export type Role = (typeof roles)[number];

export function parseRole(text: string): Role | undefined {
  return roles.find((role) => role === text);
}

/** The role that somebody asked for, or a refusal that names them all. */
export function chosenRole(text: string): Role {
  const role = parseRole(text);
  if (role !== undefined) return role;
  throw new AppError("usage.invalid", `"${safeLine(text, 80)}" is no role; choose one of ${roles.join(", ")}`);
}

/** What two roles have in common: `reviewer` and `operator` both only read. */
export function weakerRole(one: Role, other: Role): Role {
  if (one === other || other === "admin") return one;
  return one === "admin" ? other : "reader";
}

/** What can be asked of the registry, by the kind of right it takes. */
export type Right =
  /** See sources, entries, reviews, configurations, audit. */
  | "read"
  /** Configurations, tasks and attachments. */
  | "operate"
  /** Decide on revisions. */
  | "review"
  /** Sources, providers, blocks, users, keys. */
  | "administer";

/** Who asks, by whatever door. */
export interface Person {
  /** Signs decisions and audit records: a user's name, `key:<name>`, or `machine:<account>` at the machine itself. */
  readonly name: string;
  readonly role: Role;
  /** The configurations this person is limited to; null: all of them. */
  readonly configurations: readonly string[] | null;
}

const rights: Readonly<Record<Role, readonly Right[]>> = {
  reader: ["read"],
  operator: ["read", "operate"],
  reviewer: ["read", "review"],
  admin: ["read", "operate", "review", "administer"],
};

/** What an admin set about accounts. Kept in the configuration file, where no row of the database can change it. */
export interface AccountPolicy {
  /** Whether the role `reviewer` may review: off until switched on (RV-12). */
  readonly reviewers: boolean;
}

export function mayAct(person: Person, right: Right, policy: AccountPolicy): boolean {
  if (person.role === "reviewer" && right === "review" && !policy.reviewers) return false;
  return rights[person.role].includes(right);
}

/** Everything that a person may. */
export function rightsOf(person: Person, policy: AccountPolicy): readonly Right[] {
  return rights[person.role].filter((right) => mayAct(person, right, policy));
}

/** Why a person's role does not allow it; undefined: it does. */
export function whyForbidden(person: Person, right: Right, policy: AccountPolicy): string | undefined {
  if (mayAct(person, right, policy)) return undefined;
  const needed = roles.filter((role) => rights[role].includes(right)).join(" or ");
  const hint =
    person.role === "reviewer" && right === "review"
      ? "the role reviewer is switched off; an admin can set `review.reviewers: on` in the configuration"
      : `this takes the role ${needed}`;
  return `${safeName(person.name)} is ${person.role}: ${hint}`;
}

/** No colon: a user can never be taken for `key:<name>` or `machine:<account>` in a decision or an audit record. */
const form = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isAccountName(text: string): boolean {
  return form.test(text);
}

/** The name of a user or a key, or a refusal that says the rule. */
export function parseAccountName(text: string): string {
  if (isAccountName(text)) return text;
  throw new AppError(
    "usage.invalid",
    `"${safeLine(text, 80)}" cannot be a name: use 1 to 64 lowercase letters, digits, dots, hyphens and underscores, ` +
      "beginning with a letter or a digit",
  );
}
