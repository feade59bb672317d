import { hasUnseen } from "../text.ts";

/** The unseen parts of an emoji, where they are just that: `❤️` is two characters, and a family is held by joiners. */
const joiners =
  /(?<=\p{Extended_Pictographic})\uFE0F|(?<=[0-9#*])\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu;

/** Whether a text has characters that are not seen, other than those that emoji are made of. */
export function hasHidden(text: string): boolean {
  return hasUnseen(text) && hasUnseen(withoutJoiners(text));
}

export function withoutJoiners(text: string): string {
  return text.replace(joiners, "");
}
