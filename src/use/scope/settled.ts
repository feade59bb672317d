import type { Scope } from "./scope.ts";

/** Entries that were found frozen: they belong to skills, and come again in every scope of theirs. */
const frozen = new WeakSet<object>();

/** Whether nothing that a call is held against can change any more. */
export function isSettled(scope: Scope): boolean {
  const { groups, forbidden } = scope;
  if (!Object.isFrozen(scope) || !Object.isFrozen(groups) || !Object.isFrozen(forbidden)) return false;
  return forbidden.every(isFrozenThrough) && groups.every(isGroupSettled);
}

function isGroupSettled(group: Scope["groups"][number]): boolean {
  const { skills, allowed } = group;
  if (!Object.isFrozen(group) || !Object.isFrozen(skills)) return false;
  return allowed === "*" || (Object.isFrozen(allowed) && allowed.every(isFrozenThrough));
}

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== "object" || value === null || frozen.has(value)) return true;
  if (!Object.isFrozen(value) || !Object.values(value).every(isFrozenThrough)) return false;
  frozen.add(value);
  return true;
}
