import { computed, signal } from "@preact/signals";
import type { Right, SessionView } from "#contract";
import { ask, forgetAnswers, type Problem, useToken, whenSignedOut } from "./api.ts";
import { listen, stopListening } from "./live.ts";
import { asProblem } from "./resource.ts";

/** Who is signed in; undefined: not known yet. */
export const session = signal<SessionView | undefined>(undefined);

/** Why it is not known; undefined: it is, or the server was not heard yet. */
export const entranceProblem = signal<Problem | undefined>(undefined);

export const person = computed(() => session.value?.person ?? null);

/** Whether the person's role has a right. Pages leave out what would be refused; the server refuses it all the same. */
export function may(right: Right): boolean {
  return person.value?.rights.includes(right) ?? false;
}

whenSignedOut(() => void loadSession());

/** Whether the server could say it: one that is busy, or without its store, leaves what was known. */
export async function loadSession(): Promise<boolean> {
  try {
    enter(await ask<SessionView>("GET", "/api/session"));
    entranceProblem.value = undefined;
    return true;
  } catch (error) {
    entranceProblem.value = asProblem(error);
    return false;
  }
}

/** From here on the pages are this person's. Nothing that another one was shown is kept. */
export function enter(view: SessionView): void {
  const isSame = view.person?.name === session.value?.person?.name && view.token === session.value?.token;
  useToken(view.token);
  session.value = view;
  if (isSame) return;
  forgetAnswers();
  if (view.person === null) stopListening();
  else listen(loadSession);
}

export async function signOut(): Promise<void> {
  try {
    await ask("DELETE", "/api/session");
  } finally {
    await loadSession();
  }
}
