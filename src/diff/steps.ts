/** How much looking there may be. Counted, not timed: the same input gives the same answer on every machine (T26). */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** False when there are not that many left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}
