import { nearestFew } from "../../../base/nearest.ts";
import type { AgentSkill } from "./agent-skill.ts";

const mostNear = 3;
/** Longer ones are not compared: that takes the product of both lengths (T26). */
const longestCompared = 80;
/** Fewer letters are a part of too much. */
const shortestPart = 3;

/** The aliases that somebody who typed this most likely meant: those it is a part of, then those that are a few letters away. */
export function nearestAliases(skills: readonly AgentSkill[], typed: string): readonly string[] {
  if (typed === "" || typed.length > longestCompared) return [];
  const word = typed.toLowerCase();
  const aliases = skills.map(({ alias }) => alias).filter(({ length }) => length <= longestCompared);
  const whole = word.length < shortestPart ? [] : aliases.filter((alias) => alias.toLowerCase().includes(word));
  if (whole.length >= mostNear) return whole.slice(0, mostNear);
  return [...new Set([...whole, ...nearestFew(word, aliases, mostNear)])].slice(0, mostNear);
}
