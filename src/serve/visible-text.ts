/** What shapes a text without hiding anything: line breaks, tabs, and the joiners that emoji are made of. */
const honest =
  /([\n\t]|(?<=\p{Extended_Pictographic})\uFE0F|(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))/u;

/** CO-19, T34: a text of many lines that nobody vouches for, with `show` on all of it but what shapes it. */
export function shapedText(text: string, show: (part: string) => string): string {
  const parts = text.split(honest);
  // Every second part is what the text was split at.
  return parts.map((part, index) => (index % 2 === 1 ? part : show(part))).join("");
}

const seen = /^[\x20-\x7e\n]*$/;
const unseen = /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** JSON of the same value in which nothing unseen stands as itself: a program reads what it would, a terminal acts on nothing. */
export function visibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  return seen.test(json) ? json : json.replace(unseen, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
