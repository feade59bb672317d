import type { Person } from "../registry/accounts/roles.ts";
import type { App } from "./app.ts";

/** The same app in somebody else's hands: every flow asks what this person may do. */
export function asPerson(app: App, person: Person): App {
  return { ...app, person };
}
