import type { ModelRequest } from "../../base/model.ts";
import { tell } from "../../base/tell.ts";

/** Tells who listens of a piece of text, where there is one. */
export function tellText(onText: ModelRequest["onText"], text: string): void {
  if (text !== "") tell(onText, text);
}
