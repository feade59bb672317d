const mostLines = 1000;

/** What was entered before, for going back to it. What stands in the editor meanwhile is not lost. */
export class PastLines {
  readonly #lines: string[] = [];
  /** Where in them the person is; at their end: in what is being typed. */
  #at = 0;
  #draft = "";

  constructor(lines: readonly string[] = []) {
    for (const line of lines.slice(-mostLines)) this.add(line);
  }

  /** Whether it is another one than the last. */
  add(line: string): boolean {
    const isNew = this.#lines.at(-1) !== line;
    if (isNew) this.#lines.push(line);
    if (this.#lines.length > mostLines) this.#lines.shift();
    this.#at = this.#lines.length;
    return isNew;
  }

  /** The line before, or after, the one where the person is; undefined when there is none. */
  go(by: -1 | 1, typed: string): string | undefined {
    const to = this.#at + by;
    if (to < 0 || to > this.#lines.length) return undefined;
    if (this.#at === this.#lines.length) this.#draft = typed;
    this.#at = to;
    return this.#lines[to] ?? this.#draft;
  }

  /** Back to what is being typed. */
  rest(): void {
    this.#at = this.#lines.length;
  }
}
