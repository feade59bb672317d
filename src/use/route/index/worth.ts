import { backgroundWords } from "./background.ts";
import { isConversation } from "./conversation.ts";
import { lazily } from "./words.ts";

/** The share of skills that have a word, as it is known before any registry is looked at. */
const shares = lazily(
  () =>
    new Map(backgroundWords.flatMap(([share, words]) => words.split(" ").map((word) => [word, share / 1000] as const))),
);

/** So many skills that nobody has seen stand behind every registry: eight skills say little of how rare a word is. */
const unseen = 1_000;
const leastShare = 2e-5;
const mostRarity = 10;

/** How rare a word is, in nats: what a registry shows, and what is known beforehand where it is small. */
export function settledRarity(token: string, having: number, documents: number): number {
  const share = (having + unseen * (shares().get(token) ?? 0)) / (documents + unseen);
  return Math.min(mostRarity, Math.log(1 + (1 - share) / (share + leastShare)));
}

const leastRarity = 0.5;
const conversationShare = 0.1;
const mostOfConversation = 0.25;

/** What finding a word is worth as evidence, in nats. */
export function worthOf(token: string, rarity: number): number {
  const worth = Math.max(0, rarity - leastRarity);
  return isConversation(token) ? Math.min(mostOfConversation, conversationShare * worth) : worth;
}
