/**
 * Regular expressions as programs that are followed on all their ways at once: no way is ever gone back, so that the work
 * at each character of a text is at most the size of the program (T26). What cannot be done so is refused.
 */

/** Whether a character is one that is wanted. */
type CharacterTest = (code: number) => boolean;

type Step =
  | { readonly is: "character"; readonly test: CharacterTest; readonly next: number }
  | { readonly is: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly is: "either"; readonly ways: readonly number[] }
  | { readonly is: "found" };

/** The beginning and the end of a line, and where a word begins or ends or does not. */
export type Edge = "^" | "$" | "b" | "B";

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

type Part =
  | { readonly is: "character"; readonly test: CharacterTest }
  | { readonly is: "edge"; readonly edge: Edge }
  | { readonly is: "all" | "any"; readonly parts: readonly Part[] }
  | { readonly is: "times"; readonly part: Part; readonly least: number; readonly most: number };

const longestPattern = 512;
const mostSteps = 1000;

/** The program of a pattern, or why there is none. */
export function compilePattern(source: string): Program | string {
  if (source.length > longestPattern) return `it is longer than ${longestPattern} characters`;
  try {
    const part = new PatternReader(source).whole();
    if (sizeOf(part) > mostSteps) return "its repetitions are too many together";
    return programOf(part);
  } catch (error) {
    return error instanceof SyntaxError ? error.message : "it cannot be read";
  }
}

const escape =
  /\\(?:[dDwWsStnrfv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[pP]\{[A-Za-z_=]{1,64}\}|[^A-Za-z0-9])/uy;
const characterClass = /\[(?:[^\]\\]|\\.)*\]/suy;
const repetition = /(?:[*+?]|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})\??/y;
const group = /\((?:\?:|\?<[A-Za-z_]\w{0,31}>|(?!\?))/y;

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Part {
    const part = this.#choices();
    if (this.#at < this.#source.length) throw new SyntaxError("a ) has no ( before it");
    return part;
  }

  #choices(): Part {
    const parts = [this.#sequence()];
    while (this.#source.charAt(this.#at) === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    return { is: "any", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at)))
      parts.push(this.#repeated());
    return { is: "all", parts };
  }

  #repeated(): Part {
    const part = this.#one();
    const found = this.#take(repetition);
    if (found === null) return part;
    if (part.is === "edge") throw new SyntaxError("^, $, \\b and \\B are not repeated");
    const [text, least, comma, most] = found;
    if (least === undefined) {
      const bounds = { "*": [0, Number.POSITIVE_INFINITY], "+": [1, Number.POSITIVE_INFINITY] }[text.charAt(0)];
      return { is: "times", part, least: bounds?.[0] ?? 0, most: bounds?.[1] ?? 1 };
    }
    const upper = comma === undefined ? least : (most ?? Number.POSITIVE_INFINITY);
    if (Number(upper) < Number(least)) throw new SyntaxError(`${text} has its bounds the wrong way round`);
    return { is: "times", part, least: Number(least), most: Number(upper) };
  }

  #one(): Part {
    const character = this.#source.charAt(this.#at);
    if (character === "(") return this.#group();
    if (character === "^" || character === "$") {
      this.#at++;
      return { is: "edge", edge: character };
    }
    if ("*+?".includes(character)) throw new SyntaxError(`${character} has nothing before it to repeat`);
    if (character === "[") return { is: "character", test: this.#class() };
    if (character === "\\") return this.#escaped();
    if (character === ".") {
      this.#at++;
      return { is: "character", test: (code) => code !== 0x0a && code !== 0x0d && code !== 0x2028 && code !== 0x2029 };
    }
    const code = this.#source.codePointAt(this.#at) ?? 0;
    this.#at += code > 0xffff ? 2 : 1;
    return { is: "character", test: exactly(code) };
  }

  #group(): Part {
    if (this.#take(group) === null)
      throw new SyntaxError("it looks around or sets flags, (?…), which is not done here; use (?:…) or plain groups");
    const part = this.#choices();
    if (this.#source.charAt(this.#at) !== ")") throw new SyntaxError("a ( has no ) behind it");
    this.#at++;
    return part;
  }

  #escaped(): Part {
    const letter = this.#source.charAt(this.#at + 1);
    if (letter === "b" || letter === "B") {
      this.#at += 2;
      return { is: "edge", edge: letter };
    }
    if (/[1-9k]/.test(letter)) throw new SyntaxError("it refers back to a group, which is not done here");
    const [text] = this.#take(escape) ?? [];
    if (text === undefined) throw new SyntaxError(`\\${letter} is not known`);
    const isItself = /^\\[^A-Za-z0-9]/.test(text);
    return { is: "character", test: isItself ? exactly(text.codePointAt(1)) : testOf(text) };
  }

  #class(): CharacterTest {
    const [text] = this.#take(characterClass) ?? [];
    if (text === undefined) throw new SyntaxError("a [ has no ] behind it");
    return testOf(text);
  }

  #take(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

function exactly(code: number | undefined): CharacterTest {
  return (other) => other === code;
}

/** Escapes that mean only themselves, which the stricter reading of the engine refuses. */
const needless = /\\([^A-Za-z0-9^$\\.*+?()[\]{}|/-])/gu;

/** A class or an escape, held by the engine itself against one character: there is nothing to go back to. */
function testOf(text: string): CharacterTest {
  const one = readOne(text.replace(needless, "$1"));
  return (code) => one.test(String.fromCodePoint(code));
}

function readOne(text: string): RegExp {
  try {
    return new RegExp(`^${text}$`, "su");
  } catch {
    throw new SyntaxError(`${text.slice(0, 40)} is no set of characters`);
  }
}

function sizeOf(part: Part): number {
  switch (part.is) {
    case "character":
    case "edge":
      return 1;
    case "all":
    case "any":
      return part.parts.reduce((sum, each) => sum + sizeOf(each), 1);
    case "times": {
      const size = sizeOf(part.part) + 1;
      return size * (part.most === Number.POSITIVE_INFINITY ? part.least + 1 : part.most) + 1;
    }
  }
}

/** From the end to the beginning: each part is given where it goes on. */
function programOf(whole: Part): Program {
  const steps: Step[] = [{ is: "found" }];
  const add = (step: Step): number => steps.push(step) - 1;

  function emit(part: Part, next: number): number {
    switch (part.is) {
      case "character":
        return add({ is: "character", test: part.test, next });
      case "edge":
        return add({ is: "edge", edge: part.edge, next });
      case "all":
        return part.parts.reduceRight((behind, each) => emit(each, behind), next);
      case "any":
        return add({ is: "either", ways: part.parts.map((each) => emit(each, next)) });
      case "times":
        return emitTimes(part, next);
    }
  }

  function emitTimes({ part, least, most }: Extract<Part, { is: "times" }>, next: number): number {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const ways = [next];
      at = add({ is: "either", ways });
      ways.push(emit(part, at));
    } else for (let left = most - least; left > 0; left--) at = add({ is: "either", ways: [next, emit(part, at)] });
    for (let left = least; left > 0; left--) at = emit(part, at);
    return at;
  }

  const start = emit(whole, 0);
  return { steps, start };
}
