import { AppError } from "../../core/error.ts";
import { createPassword } from "../../registry/accounts/password.ts";
import type { Randomness } from "../../core/world.ts";
import { askTwice, isTerminal } from "../command/ask-secret.ts";
import { flagOf } from "../command/call.ts";
import type { Call } from "../command/command.ts";
import type { Keyboard } from "../command/output.ts";

/** What the result shows, this one time: a password that we made. One that somebody chose is never shown. */
export interface ShownOnce {
  readonly password?: string;
}

const ways = ["generate", "passwordStdin", "withoutPassword"];

/** A password that is made, piped in or typed unseen: never an argument (T40). */
export async function choosePassword(
  { options }: Call,
  name: string,
  random: Randomness,
  keyboard: Keyboard,
): Promise<{ readonly password: string; readonly shown: ShownOnce }> {
  const given = ways.filter((each) => options[each] === true);
  const [way] = given;
  if (given.length > 1)
    throw new AppError("usage.invalid", `give ${given.map(flagOf).join(" or ")}, not more than one of them`);
  if (way === "generate") {
    const password = createPassword(random);
    return { password, shown: { password } };
  }
  // SV-11: one that nobody knows, and nobody can find out.
  if (way === "withoutPassword") return { password: createPassword(random), shown: {} };
  if (way === undefined && !isTerminal(keyboard))
    throw new AppError(
      "usage.invalid",
      "there is no terminal to ask for a password; pipe it in with --password-stdin, or let --generate make one",
    );
  return { password: await askTwice(`Password of ${name}, 12 characters or more: `, keyboard), shown: {} };
}
