import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = "examples/skills";

/** The names of the example skills. */
export const examples = readdirSync(root).toSorted();

function skillText(name: string): string {
  return readFileSync(join(root, name, "SKILL.md"), "utf8");
}

export function frontmatterOf(name: string): string {
  return skillText(name).split(/^---$/m)[1] ?? "";
}

export function scopeOf(name: string): string | undefined {
  const path = join(root, name, "scope.yaml");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
