import type { Finding, Level } from "../core/finding.ts";
import type { Look } from "./line.ts";

export function plural(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`;
}

export function placeOf({ at: { file, line } }: Pick<Finding, "at">): string {
  return line > 1 ? `${file}:${line}` : file;
}

const looks: Readonly<Record<Level, readonly Look[]>> = {
  critical: ["red", "bold"],
  high: ["red"],
  medium: ["yellow"],
  low: ["cyan"],
  info: ["dim"],
};

export function lookOf(level: Level): readonly Look[] {
  return looks[level];
}
