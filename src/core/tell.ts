/** Who listens cannot change what happens: not by throwing, nor by a promise that fails. */
export function tell<Told>(listener: ((told: Told) => unknown) | undefined, told: Told): void {
  try {
    const said = listener?.(told);
    if (said instanceof Promise) said.catch(() => {});
  } catch {
    // Its own fault, and nobody else's.
  }
}
