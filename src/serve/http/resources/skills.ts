import { diffSkill, listRevisions } from "../../../app/revisions.ts";
import { readSkillText } from "../../../app/skill-text.ts";
import { listSkills, showSkill } from "../../../app/skills.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { revisions, skillDiff } from "../schemas/revisions.ts";
import * as schemas from "../schemas/skills.ts";

/** Every entry that one may see (RV-12). What shows bytes carries no tag: it is verified anew each time it is asked for. */
export function mountSkills(operations: Operations, api: Api): void {
  operations.get(
    {
      path: "/api/skills",
      summary: "Every skill that the caller may see, whatever its state.",
      query: schemas.skillsQuery,
      answer: schemas.skills,
      perGeneration: true,
    },
    ({ person, query }) => listSkills(api.as(person), query),
  );
  operations.get(
    { path: "/api/skills/{entry}", summary: "One skill.", answer: schemas.skillView },
    ({ person, entry }) => showSkill(api.as(person), entry),
  );
  operations.get(
    {
      path: "/api/skills/{entry}/text",
      summary: "One file of a revision, as it is written.",
      query: schemas.textQuery,
      answer: schemas.skillText,
    },
    ({ person, entry, query }) => readSkillText(api.as(person), entry, query),
  );
  operations.get(
    {
      path: "/api/skills/{entry}/diff",
      summary: "What the current revision changes, or any kept one against another.",
      query: schemas.diffQuery,
      answer: skillDiff,
    },
    ({ person, entry, query }) => diffSkill(api.as(person), entry, query),
  );
  operations.get(
    {
      path: "/api/skills/{entry}/revisions",
      summary: "The revisions that are kept, the newest first.",
      answer: revisions,
      perGeneration: true,
    },
    ({ person, entry }) => listRevisions(api.as(person), entry),
  );
}
