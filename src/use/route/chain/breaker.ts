/** So many failures in a row, and a link is left alone. */
const mostFailures = 3;
const restMilliseconds = 30_000;

/** Whoever has one may ask; it is given back with what came of it. */
export interface Pass {
  readonly isProbe: boolean;
}

/** Leaves a link that keeps failing alone for a while, then lets one query try it (RT-4). */
export class Breaker {
  #failures = 0;
  #openedAt: number | null = null;
  #isProbed = false;

  /** Null when it is not to be asked now. */
  enter(now: number): Pass | null {
    if (this.#openedAt === null) return { isProbe: false };
    if (this.#isProbed || this.restLeft(now) > 0) return null;
    this.#isProbed = true;
    return { isProbe: true };
  }

  /** Milliseconds. A clock that was set back must not make the rest longer than it is. */
  restLeft(now: number): number {
    if (this.#openedAt === null) return 0;
    const left = this.#openedAt + restMilliseconds - now;
    return left > restMilliseconds ? 0 : Math.max(0, left);
  }

  succeeded(pass: Pass): void {
    this.left(pass);
    this.#failures = 0;
    this.#openedAt = null;
  }

  failed(pass: Pass, now: number): void {
    this.left(pass);
    this.#failures++;
    // One that was asked before the rest began and fails during it does not make it longer.
    if (pass.isProbe || (this.#openedAt === null && this.#failures >= mostFailures)) this.#openedAt = now;
  }

  /** Nobody waited for the answer: that says nothing about the link. */
  left({ isProbe }: Pass): void {
    if (isProbe) this.#isProbed = false;
  }
}
