import { where } from "../matchers.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";
import { captionsIn } from "./hidden-caption.ts";

/** Longer than anybody describes a picture for those who cannot see it. */
const longest = 300;

function find(text: ScanText): readonly Hit[] {
  text.steps += text.lower.length;
  return captionsIn(text).map(({ start, end }) => ({ start, end, decoded: text.text.slice(start, end) }));
}

export const hiddenLongCaption: Rule = {
  id: "hidden.long-caption",
  level: "medium",
  title: "a picture's text or a link's title of unusual length",
  why: "It is hardly ever seen, and there is room in it for a whole message to the model. Read it.",
  match: where({ patterns: [], find }, (_text, { start, end }) => end - start > longest),
  hostile: [
    `![${"and a lot more words ".repeat(20)}](a.png)`,
    `[x](https://docs.example "${"and a lot more words ".repeat(20)}")`,
    `<img alt="${"and a lot more words ".repeat(20)}">`,
  ],
  benign: [
    "![Chart of downloads over twelve months, by country](chart.png)",
    '[manual](https://docs.example "How to install it")',
    `A long line. ${"and a lot more words ".repeat(30)}`,
  ],
};
