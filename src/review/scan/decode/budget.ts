/** So many characters are decoded of one text, and of all that is encoded in it, however small it is and however large. */
const fewestCharacters = 256 * 1024;
const mostCharacters = 512 * 1024;

/** How much may still be decoded. What is taken from a part is taken from the whole as well. */
export class Budget {
  #characters: number;
  #layers: number;
  readonly #whole: Budget | undefined;

  constructor(characters: number, layers: number, whole?: Budget) {
    this.#characters = characters;
    this.#layers = layers;
    this.#whole = whole;
  }

  /** Of a text with so many characters: what is packed may be a little more, not many times as much (T26). */
  static of(length: number, layers: number, whole?: Budget): Budget {
    const characters = Math.min(mostCharacters, Math.max(fewestCharacters, 2 * length));
    return new Budget(characters, layers, whole);
  }

  get isSpent(): boolean {
    return this.#characters <= 0 || this.#layers <= 0 || this.#whole?.isSpent === true;
  }

  /** Whether a layer of so many characters can be had; then it is taken. */
  take(characters: number): boolean {
    if (!this.#has(characters)) return false;
    this.#use(characters, 1);
    return true;
  }

  /** For work that came to nothing. */
  waste(characters: number): void {
    this.#use(characters, 0);
  }

  #has(characters: number): boolean {
    const isHere = this.#layers > 0 && this.#characters >= characters;
    return isHere && (this.#whole === undefined || this.#whole.#has(characters));
  }

  #use(characters: number, layers: number): void {
    this.#characters -= characters;
    this.#layers -= layers;
    if (this.#whole !== undefined) this.#whole.#use(characters, layers);
  }
}
