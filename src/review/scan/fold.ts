import { resolveEntities } from "./fold/entities.ts";
import { plainLetters } from "./fold/letters.ts";
import { latinWords } from "./fold/lookalikes.ts";

/** A text as a model reads it (T27). The ends of its lines stay where they are. Every step is one pass (T26). */
export function foldText(raw: string): string {
  const text = raw.includes("&") ? resolveEntities(raw) : raw;
  if (!/[^\t\n\x20-\x7e]/.test(text)) return text;
  const seen = text.replace(terminalStyle, "").replace(/\r\n/g, "\n").replace(blank, " ").replace(unseen, "");
  const plain = seen.replace(quotes, (mark) => (mark < "\u2018" ? "-" : mark < "\u201c" ? "'" : '"'));
  const letters = plainLetters(plain);
  return latinWords(hasAccents.test(letters) ? letters.replace(accents, "") : letters);
}

/** What colours or hides text in a terminal. Other sequences keep their content: a link's address is in one. */
// oxlint-disable-next-line no-control-regex
const terminalStyle = /(?:\x1b\[|\x9b)[0-9;?]{0,24}[@-~]/g;

/** Takes up room but shows nothing, or would end a line somewhere else than the line counts here do. */
const blank =
  // oxlint-disable-next-line no-control-regex
  /[\r\x07\x08\x0b\x0c\x1c-\x1f\x85\u00a0\u115f\u1160\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0]/g;

/** Controls, and whatever takes up no room: joiners, bidi marks, selectors, tags, invisible operators. */
const unseen =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x06\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;

/** Typographic hyphens and quotes: patterns are written with those of the keyboard. */
const quotes = /[\u2010-\u2013\u2018-\u201b\u201c-\u201f]/g;

/** Marks over and through Latin letters: a word that is struck out is still read. */
// oxlint-disable-next-line no-misleading-character-class
const hasAccents = /[\u0300-\u036f\u0488\u0489\u20d0-\u20f0]/;
// oxlint-disable-next-line no-misleading-character-class
const accents = /(?<=[A-Za-z])[\u0300-\u036f\u0488\u0489\u20d0-\u20f0]+/g;
