import { addSkillTriggers, listSkillTriggers, removeSkillTriggers } from "./triggers.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { triggers } from "../../routing/schema.ts";
import * as schemas from "./schema.ts";

/** RT-2: the phrases by which an admin wants a skill found. */
export function mountTriggers(routes: ApiRoutes): void {
  routes.get(
    { path: "/api/triggers", summary: "All of them.", answer: schemas.triggerList, perGeneration: true },
    ({ app }) => listSkillTriggers(app),
  );
  routes.post(
    {
      path: "/api/skills/{entry}/triggers",
      summary: "Set more phrases for a skill.",
      tag: "triggers",
      asked: schemas.phrasesAsked,
      answer: triggers,
    },
    ({ app, entry }, { phrases }) => addSkillTriggers(app, entry, phrases),
  );
  routes.delete(
    {
      path: "/api/skills/{entry}/triggers",
      summary: "Take one away, or all of them.",
      tag: "triggers",
      query: schemas.phraseQuery,
      answer: triggers,
    },
    ({ app, entry, query: { phrase } }) => removeSkillTriggers(app, entry, phrase === undefined ? [] : [phrase]),
  );
}
