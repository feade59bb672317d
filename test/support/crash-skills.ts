import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Numbers from 0 up to, not including, `below`; the same for the same seed (mulberry32). */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random(2 ** 31) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

const most = 6;

/** What a publisher does between two syncs: one skill is written anew, one comes or changes, one may go. */
export function changeSkills(folder: string, random: Random): void {
  const names = Array.from({ length: most }, (_, index) => `skill-${index}`);
  const [gone = "", first = "", second = ""] = shuffled(names, random);
  if (random(2) === 0) removeSkill(folder, gone);
  for (const name of [first, second]) writeSkill(folder, name, random);
}

/** Whole or not at all: who is killed while publishing is not what is tested. */
function writeSkill(folder: string, name: string, random: Random): void {
  const staged = `${folder}.staged`;
  mkdirSync(join(staged, "references"), { recursive: true });
  const text = `# ${name}\n\nRevision ${random(2 ** 31)}.\n`;
  const header = `---\nname: ${name}\ndescription: Use when testing crashes.\n---\n`;
  writeFileSync(join(staged, "SKILL.md"), header + text);
  writeFileSync(join(staged, "references/own.md"), text);
  writeFileSync(join(staged, "references/shared.md"), "The same in every skill.\n");
  removeSkill(folder, name);
  renameSync(staged, join(folder, name));
}

function removeSkill(folder: string, name: string): void {
  const removed = `${folder}.removed`;
  rmSync(removed, { recursive: true, force: true });
  if (existsSync(join(folder, name))) renameSync(join(folder, name), removed);
}
