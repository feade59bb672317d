import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Command, type CommandGroup, isGroup } from "../../src/features/command/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { CliHome } from "../support/cli-home.ts";
import { furnish, people, rights, type Who } from "./rights.ts";

const commands = await loadCommands();

const template = new CliHome();
let furniture: ReturnType<typeof furnish>;
/** The fingerprint of each home before the command. */
let untouched: string;
beforeAll(() => {
  furniture = furnish(template);
  untouched = template.fingerprint();
});
afterAll(() => template.remove());

/** Every command that opens the store, as it is typed. */
const storeCommands = commands.flatMap((each) => namesOf(each));

function namesOf(command: Command | CommandGroup, before = ""): string[] {
  if (isGroup(command)) return command.commands.flatMap((each) => namesOf(each, `${command.name} `));
  const opensStore = command.options.some(({ flags }) => flags.startsWith("--data "));
  return opensStore ? [before + command.name] : [];
}

const told = new Set(rights.map(({ command }) => command));

describe("RV-12: who may do what", () => {
  test("RV-12: no command is forgotten", () => {
    expect([...told].toSorted()).toEqual(storeCommands.toSorted());
  });

  for (const { command, args, may, input, outcome = "done" } of rights)
    test(`RV-12: ${command} ${args}: ${may.join("; ")}`, () => {
      const line = args.replace(
        /(?<!\{)\{(\w+)\}/g,
        (_, thing: keyof typeof furniture.things) => furniture.things[thing],
      );
      const typed = `${command} ${line} --json`.split(" ").filter((word) => word !== "");
      // Doctor is asked what is wrong, and a key that is not valid is such a thing.
      const asking = people.filter((who) => who !== "nobody" || command !== "doctor");
      const outcomes = inSharedHome((shared) =>
        asking.map((who) => [who, outcomeOf(who, may.includes(who) ? null : shared, typed, input)]),
      );
      const refused = (who: Who) =>
        who === "nobody" ? "auth.failed, nothing changed" : "auth.forbidden, nothing changed";
      const expected = asking.map((who) => [who, may.includes(who) ? outcome : refused(who)]);
      expect(outcomes).toEqual(expected);
    });
});

/** One home per command for all who are refused: they change nothing in it. */
function inSharedHome<Result>(act: (shared: CliHome) => Result): Result {
  const shared = template.copy();
  try {
    return act(shared);
  } finally {
    shared.remove();
  }
}

/** In words, so that a difference says what happened. Without a shared home, in one of its own. */
function outcomeOf(who: Who, shared: CliHome | null, typed: readonly string[], input: string | undefined): string {
  const home = shared ?? template.copy();
  try {
    home.configure(`review:\n  reviewers: ${who === "reviewer, switched off" ? "off" : "on"}\n`);
    const { code, out, err } = home.run(typed, { as: furniture.keys[who], input });
    if (code === 0) return "done";
    const refusal = code === 2 ? JSON.parse(out).error?.code : `exit ${code}: ${out}${err}`;
    return `${refusal}, ${home.fingerprint() === untouched ? "nothing" : "something"} changed`;
  } finally {
    if (home !== shared) home.remove();
  }
}
