import type { ModelRequest } from "../../base/model.ts";

/** Tells who listens of a piece of text. What listeners throw, at once or later, changes nothing. */
export function tellText(onText: ModelRequest["onText"], text: string): void {
  if (onText === undefined || text === "") return;
  try {
    const said: unknown = onText(text);
    if (said instanceof Promise) said.catch(() => {});
  } catch {
    // Its own fault: the answer is not worse for it.
  }
}
