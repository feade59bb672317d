import type { ToolArgument, ToolPattern } from "./tools/tools.ts";

type Command = Extract<ToolArgument, { kind: "command" }>;

/**
 * Command patterns by their words. Two of them lie inside each other or apart, so that which of many cover another one
 * is told by its beginnings alone. What is refused of a command is not looked at: with more words it may not be.
 */
export class Commands {
  readonly #open = new Map<string, Command>();
  readonly #exact = new Map<string, Command>();

  /** Null when one of them is not about commands. */
  static of(patterns: readonly ToolPattern[]): Commands | null {
    const commands = new Commands();
    for (const { argument } of patterns) {
      if (argument?.kind !== "command") return null;
      commands.#add(argument);
    }
    return commands;
  }

  get size(): number {
    return this.#open.size + this.#exact.size;
  }

  /** What fits one of these and one of the others: some of their own patterns. */
  sharedWith(others: Commands): Commands {
    const shared = new Commands();
    for (const command of this.#all()) if (others.#cover(command)) shared.#add(command);
    for (const command of others.#all()) if (this.#cover(command)) shared.#add(command);
    return shared;
  }

  #add(command: Command): void {
    (command.isOpen ? this.#open : this.#exact).set(command.words.map(keyOf).join(""), command);
  }

  *#all(): Iterable<Command> {
    yield* this.#open.values();
    yield* this.#exact.values();
  }

  #cover({ words, isOpen }: Command): boolean {
    let beginning = "";
    if (this.#open.has(beginning)) return true;
    for (const word of words) {
      beginning += keyOf(word);
      if (this.#open.has(beginning)) return true;
    }
    return !isOpen && this.#exact.has(beginning);
  }
}

/** Also an empty word is one. */
function keyOf(word: string): string {
  return `${word}\0`;
}
