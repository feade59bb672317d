/**
 * What must stand in a text for a pattern to fit anywhere in it: of every clause at least one of its literals. Derived
 * from the pattern itself, so that no rule can forget it. Never more than what is necessary: where the source is not
 * understood, there is no clause, and the pattern is simply run.
 */
type Clauses = readonly (readonly string[])[];

/** What is known of a pattern before it is run. */
export interface Outline {
  readonly clauses: Clauses;
  /** So long can a stretch be that it fits, in characters. */
  readonly longest: number;
  /** Whether it fits a stretch by what stands in it and within `reach` of it: nothing of it asks for the text's ends. */
  readonly isLocal: boolean;
}

/** So far does a pattern look around what it fits. */
export const reach = 64;

/** Shorter literals are in every text. */
const shortestLiteral = 3;

const mostStrings = 96;

/** What a part of a pattern can be: all of its strings when they are few; and what is necessary besides. */
interface Part {
  readonly exact: readonly string[] | null;
  readonly clauses: Clauses;
  readonly longest: number;
}

const anything: Part = { exact: null, clauses: [], longest: 1 };
const empty: Part = { exact: [""], clauses: [], longest: 0 };

export function outlineOf({ source, flags }: RegExp): Outline {
  const reader = new Reader(source);
  const part = reader.alternatives();
  if (/[iuvsm]/.test(flags) || !reader.isAtEnd)
    return { clauses: [], longest: Number.POSITIVE_INFINITY, isLocal: false };
  return { clauses: flushed(part), longest: part.longest, isLocal: reader.isLocal };
}

/** Reads the source once, from left to right. */
class Reader {
  isLocal = true;
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return either(parts);
  }

  #sequence(): Part {
    const clauses: (readonly string[])[] = [];
    let run: readonly string[] = [""];
    let [isExact, longest] = [true, 0];
    const flush = () => {
      clauses.push(...clauseOf(run));
      run = [""];
      isExact = false;
    };
    while (!this.isAtEnd && !this.#sees("|") && !this.#sees(")")) {
      const part = this.#repeated(this.#atom());
      clauses.push(...part.clauses);
      longest += part.longest;
      const joined = part.exact === null ? null : joinedWith(run, part.exact);
      if (joined !== null) run = joined;
      else {
        flush();
        if (part.exact !== null) run = part.exact;
      }
    }
    if (isExact) return { exact: run, clauses, longest };
    flush();
    return { exact: null, clauses, longest };
  }

  #atom(): Part {
    const char = this.#next();
    if (char === "(") return this.#group();
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escaped();
    if (char === "^" || char === "$") this.isLocal = false;
    if (char === "^" || char === "$") return empty;
    return char === "." ? anything : literal(char + this.#restOfWord());
  }

  /** The letters that follow, up to one that a quantifier repeats. */
  #restOfWord(): string {
    const start = this.#at;
    while (isLetter(this.#source.charCodeAt(this.#at))) this.#at++;
    if (this.#at > start && this.#isRepeated()) this.#at--;
    return this.#source.slice(start, this.#at);
  }

  #isRepeated(): boolean {
    return this.#sees("*") || this.#sees("+") || this.#sees("?") || this.#sees("{");
  }

  #group(): Part {
    const opening = /^\?(?::|<?[=!]|<[A-Za-z]\w*>)/.exec(this.#source.slice(this.#at, this.#at + 40))?.[0] ?? "";
    this.#at += opening.length;
    const inner = this.alternatives();
    this.#take(")");
    if (!/[=!]$/.test(opening)) return inner;
    // What is looked at is not part of what fits, and may be forbidden.
    if (inner.longest > reach) this.isLocal = false;
    return empty;
  }

  /** Only a few letters, each by itself, are known; ranges and kinds can be anything. */
  #class(): Part {
    const start = this.#at;
    while (!this.isAtEnd && !this.#sees("]")) this.#at += this.#sees("\\") ? 2 : 1;
    const inside = this.#source.slice(start, this.#at);
    this.#take("]");
    return /^[a-z0-9]{1,4}$/.test(inside) ? { ...anything, exact: Array.from(inside) } : anything;
  }

  #escaped(): Part {
    const char = this.#next();
    if (char === "b" || char === "B") return empty;
    if (/[a-zA-Z0-9]/.test(char)) {
      // A code of a character has digits that belong to it; it is none of our literals.
      const digits = char === "x" ? 2 : char === "u" ? 4 : 0;
      this.#at += digits;
      return anything;
    }
    return literal(char);
  }

  #repeated(part: Part): Part {
    if (!this.#isRepeated()) return part;
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (found === null) return part;
    const [sign, from, comma, to] = found;
    this.#at += sign.length;
    if (sign.startsWith("?"))
      return part.exact === null ? { ...part, clauses: [] } : { ...part, exact: ["", ...part.exact], clauses: [] };
    const least = sign.startsWith("+") ? 1 : Number(from ?? 0);
    const most = comma === "" ? least : to === "" || to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    return { exact: null, clauses: least === 0 ? [] : flushed(part), longest: part.longest * most };
  }

  #next(): string {
    return this.#source.charAt(this.#at++);
  }

  #sees(char: string): boolean {
    return this.#source.charAt(this.#at) === char;
  }

  #take(char: string): boolean {
    const isThere = this.#sees(char);
    if (isThere) this.#at++;
    return isThere;
  }
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function literal(text: string): Part {
  return { exact: [text], clauses: [], longest: text.length };
}

/** One of several: of each the clause that says most; without one of each nothing is necessary. */
function either(parts: readonly Part[]): Part {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const longest = Math.max(...parts.map((part) => part.longest));
  const strings = parts.flatMap(({ exact }) => exact ?? []);
  const isExact = parts.every(({ exact, clauses }) => exact !== null && clauses.length === 0);
  if (isExact && strings.length <= mostStrings) return { exact: strings, clauses: [], longest };
  const best = parts.map((part) => flushed(part).toSorted((a, b) => worth(b) - worth(a))[0]);
  const clauses = best.includes(undefined) ? [] : [best.flatMap((clause) => clause ?? [])];
  return { exact: null, clauses, longest };
}

/** A clause is worth as much as its shortest literal; of two alike, the one with fewer. */
function worth(clause: readonly string[]): number {
  return Math.min(...clause.map(({ length }) => length)) - clause.length / 1000;
}

function flushed({ exact, clauses }: Pick<Part, "exact" | "clauses">): Clauses {
  return exact === null ? clauses : [...clauses, ...clauseOf(exact)];
}

function clauseOf(strings: readonly string[]): Clauses {
  return strings.every(({ length }) => length >= shortestLiteral) ? [strings] : [];
}

function joinedWith(run: readonly string[], next: readonly string[]): readonly string[] | null {
  if (run.length * next.length > mostStrings) return null;
  return run.flatMap((head) => next.map((tail) => head + tail));
}
