/**
 * T37: whether what is asked for now follows from what a person did. A page goes on asking while nobody sits at it, at every
 * new generation and from time to time: that must not keep a session open which nobody uses.
 */
let isSo = true;

for (const act of ["keydown", "pointerdown", "click", "input", "wheel"] as const)
  window.addEventListener(act, () => void (isSo = true), { capture: true, passive: true });

export function isAttended(): boolean {
  return isSo;
}

/** The page does something by itself: so is all that follows from it, until somebody does something again. */
export function actByItself(): void {
  isSo = false;
}
