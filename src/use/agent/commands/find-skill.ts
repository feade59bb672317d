import { safeLine } from "../../../base/text.ts";
import type { AgentSkill, AgentSkills } from "../skills/agent-skill.ts";
import { writeInvocation } from "./invocation-words.ts";

const mostNear = 3;
const mostTwins = 8;

/** The one skill that a person means; a text says why there is none, and which may be meant. */
export function findSkill(skills: AgentSkills, name: string): AgentSkill | string {
  const found = skills.find(name);
  if (found.is === "one") return found.skill;
  if (found.is === "none") return `there is no skill "${safeLine(name, 80)}"; ${meantNames(found.near)}`;
  const aliases = found.skills.slice(0, mostTwins).map(({ alias }) => showInvocation(alias));
  return `"${safeLine(name, 80)}" is the name of ${found.skills.length} skills: say which, ${aliases.join(" or ")}`;
}

/** How a skill is called, for people to read. */
export function showInvocation(alias: string): string {
  return safeLine(writeInvocation(alias), 160);
}

/** Why a person cannot call a skill, if so. */
export function whyNotCallable({ unusable, byPerson }: AgentSkill): string | undefined {
  if (unusable !== null) return `it cannot be used: ${safeLine(unusable, 240)}`;
  if (!byPerson) return "its author keeps it for the model (user-invocable: false)";
  return undefined;
}

function meantNames(near: readonly string[]): string {
  if (near.length === 0) return "/skills lists those there are";
  return `did you mean ${near.slice(0, mostNear).map(showInvocation).join(", ")}?`;
}
