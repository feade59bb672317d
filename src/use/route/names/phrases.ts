import { countCharacters } from "../../../base/text.ts";
import { Foremost } from "../foremost.ts";
import { byTrust, plainName, type ShelfEntry } from "../shelf.ts";
import { weightOf, type Word, wordsOf } from "./words.ts";

/** What a phrase stands for. */
interface Meaning {
  readonly entry: ShelfEntry;
}

/** A phrase that stands in a text: the words of the text from `from` on and before `to`. */
export interface StandingPhrase<Meant> {
  readonly meant: readonly Meant[];
  readonly from: number;
  readonly to: number;
}

/** Longer ones are sentences, and nobody repeats a sentence word for word. */
export const mostWords = 16;
const mostCharacters = 200;
/** So many entries are known by one phrase, the most trusted: a phrase that everybody claims says nothing. */
const mostMeanings = 1000;

/** Phrases that a text is held against all at once: what that costs grows with the text, not with how many there are. */
export class Phrases<Meant extends Meaning> {
  readonly #byWords = new Foremost<Meant>((a, b) => byTrust(a.entry, b.entry), mostMeanings);
  /** How many words the phrases have that begin with this one. */
  readonly #lengths = new Map<string, number[]>();

  add(phrase: string, meant: Meant): void {
    const words = textsOf(phrase);
    const [first] = words;
    if (first === undefined) return;
    if (this.#byWords.add(words.length === 1 ? first : words.join(" "), meant)) return;
    const lengths = this.#lengths.get(first);
    if (lengths === undefined) this.#lengths.set(first, [words.length]);
    else if (!lengths.includes(words.length)) lengths.push(words.length);
  }

  /** Those that stand in a text on the boundaries of its words: `ssh` stands neither in `sshd` nor in `ssh-agent`. */
  standingIn(words: readonly Word[]): readonly StandingPhrase<Meant>[] {
    return words.flatMap((_, from) => this.#startingAt(words, from));
  }

  #startingAt(words: readonly Word[], from: number): readonly StandingPhrase<Meant>[] {
    const first = words[from];
    const lengths = first === undefined || first.isJoined ? undefined : this.#lengths.get(first.text);
    return (lengths ?? []).flatMap((length) => {
      const to = from + length;
      if (to > words.length || words[to]?.isJoined === true) return [];
      const meant = this.#byWords.get(textOf(words, from, to));
      return meant === undefined ? [] : [{ meant, from, to }];
    });
  }
}

/** Whether it can be found in any text at all. */
export function canStand(phrase: string): boolean {
  return textsOf(phrase).length > 0;
}

/** Its words; none when it is too long. */
function textsOf(phrase: string): readonly string[] {
  if (phrase.length > mostCharacters && countCharacters(phrase) > mostCharacters) return [];
  if (plainName.test(phrase)) {
    const texts = phrase.split("-").filter((word) => word !== "");
    return texts.length > mostWords ? [] : texts;
  }
  const words = wordsOf(phrase);
  return weightOf(words) > mostWords ? [] : words.map(({ text }) => text);
}

function textOf(words: readonly Word[], from: number, to: number): string {
  let text = words[from]?.text ?? "";
  for (let at = from + 1; at < to; at++) text += ` ${words[at]?.text ?? ""}`;
  return text;
}
