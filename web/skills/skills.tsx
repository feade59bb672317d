import { place } from "../lib/router.ts";
import { SkillList } from "./list.tsx";
import { SkillPage } from "./skill.tsx";

export function SkillsPage() {
  const [entry] = place.value.parts;
  return entry === undefined ? <SkillList /> : <SkillPage key={entry} entry={entry} />;
}
