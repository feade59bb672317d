import { diffSkill, listRevisions } from "./revisions.ts";
import { listSkills, readSkillText, showSkill } from "./flow.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** Every entry that one may see (RV-12). What shows bytes carries no tag: it is verified anew each time it is asked for. */
export function mountSkills(routes: ApiRoutes): void {
  routes.get(
    {
      path: "/api/skills",
      summary: "Every skill that the caller may see, whatever its state.",
      query: schemas.skillsQuery,
      answer: schemas.skills,
      perGeneration: true,
    },
    ({ app, query }) => listSkills(app, query),
  );
  routes.get({ path: "/api/skills/{entry}", summary: "One skill.", answer: schemas.skillView }, ({ app, entry }) =>
    showSkill(app, entry),
  );
  routes.get(
    {
      path: "/api/skills/{entry}/text",
      summary: "One file of a revision, as it is written.",
      query: schemas.textQuery,
      answer: schemas.skillText,
    },
    ({ app, entry, query }) => readSkillText(app, entry, query),
  );
  routes.get(
    {
      path: "/api/skills/{entry}/diff",
      summary: "What the current revision changes, or any kept one against another.",
      query: schemas.diffQuery,
      answer: schemas.skillDiff,
    },
    ({ app, entry, query }) => diffSkill(app, entry, query),
  );
  routes.get(
    {
      path: "/api/skills/{entry}/revisions",
      summary: "The revisions that are kept, the newest first.",
      answer: schemas.revisions,
      perGeneration: true,
    },
    ({ app, entry }) => listRevisions(app, entry),
  );
}
