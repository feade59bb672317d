import { canonicalJson } from "../../core/canonical.ts";
import { AppError } from "../../core/error.ts";
import { isNewest, isSealed, sealText } from "../keys.ts";
import { parseAccountName } from "./roles.ts";
import type { AccountsContext } from "./port.ts";
import { hashPassword } from "./password.ts";
import { hasActiveAdmin, insertUser, type NewUser } from "./users.ts";
import type { User } from "../schema.ts";

/** Accounts, and which store they are of: a link for one store is none for another. */
export interface FirstAdminContext extends AccountsContext {
  readonly store: string;
}

const day = 24 * 60 * 60_000;

/** Who stands in the audit as having added the first admin: no user or key has such a name. */
const by = { name: "link:first-admin" };

/**
 * RV-12: the link that makes the first admin, below the address of a server; null when there is one. Nothing is stored:
 * every node with the key file knows it again, for a day. It stands behind `#`, so no server, proxy or log ever sees it.
 */
export async function firstAdminLink(context: FirstAdminContext, url: string): Promise<string | null> {
  if (await hasActiveAdmin(context, context.kept.read)) return null;
  return `${url}/#/first/${createToken(context)}`;
}

/** Adds the first admin, for whoever has the link. It is good for nothing as soon as there is one. */
export async function addFirstAdmin(
  context: FirstAdminContext,
  token: string,
  wanted: Omit<NewUser, "role">,
): Promise<User> {
  const { kept, random } = context;
  // Before any work is done for somebody who may have made it up.
  if (!isToken(context, token) || (await hasActiveAdmin(context, kept.read))) throw refusal();
  const name = parseAccountName(wanted.name);
  const password = await hashPassword(wanted.password, random);
  return kept.transaction(async (port) => {
    // Once more: of two that came at once, the second finds the first.
    if (await hasActiveAdmin(context, port)) throw refusal();
    return insertUser(context, port, by, { name, role: "admin", password });
  });
}

function createToken({ keys, store, clock }: FirstAdminContext): string {
  const issuedAt = clock.now();
  return `${issuedAt}.${sealText(keys, tokenText(store, issuedAt))}`;
}

function isToken({ keys, store, clock }: FirstAdminContext, token: string): boolean {
  const [, issued = "", seal = ""] = /^(\d{1,15})\.([\w.-]{1,128})$/.exec(token) ?? [];
  const issuedAt = Number(issued);
  // By the newest secret alone: a rotation of the key file ends links that were printed before it.
  return (
    Math.abs(clock.now() - issuedAt) < day && isSealed(keys, tokenText(store, issuedAt), seal) && isNewest(keys, seal)
  );
}

function tokenText(store: string, issuedAt: number): string {
  return canonicalJson(["account.first-admin", { store, issuedAt }]);
}

/** Alike for a made-up link, one that is too old and one that came too late: which it was is nobody's business. */
function refusal(): AppError {
  const hint = "start the server again for a new one, or use `skillward user add` at the machine itself";
  return new AppError("auth.failed", `this link is not valid, or there is an admin already; ${hint}`);
}
