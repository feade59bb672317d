import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Command, type CommandGroup, isGroup } from "../../src/features/command/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { CliHome } from "../support/cli-home.ts";
import { furnish, people, rights, type Who } from "./rights.ts";

const commands = await loadCommands();

const template = new CliHome();
let furniture: ReturnType<typeof furnish>;
beforeAll(() => {
  furniture = furnish(template);
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
      const outcomes = asking.map((who) => [who, outcomeOf(who, typed, input)]);
      const refused = (who: Who) =>
        who === "nobody" ? "auth.failed, nothing changed" : "auth.forbidden, nothing changed";
      const expected = asking.map((who) => [who, may.includes(who) ? outcome : refused(who)]);
      expect(outcomes).toEqual(expected);
    });
});

/** In a home of its own; in words, so that a difference says what happened. */
function outcomeOf(who: Who, typed: readonly string[], input: string | undefined): string {
  const home = template.copy();
  try {
    home.configure(`review:\n  reviewers: ${who === "reviewer, switched off" ? "off" : "on"}\n`);
    const before = home.fingerprint();
    const { code, out, err } = home.run(typed, { as: furniture.keys[who], input });
    if (code === 0) return "done";
    const refusal = code === 2 ? JSON.parse(out).error?.code : `exit ${code}: ${out}${err}`;
    return `${refusal}, ${home.fingerprint() === before ? "nothing" : "something"} changed`;
  } finally {
    home.remove();
  }
}
