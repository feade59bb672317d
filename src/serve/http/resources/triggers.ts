import { addSkillTriggers, listSkillTriggers, removeSkillTriggers } from "../../../app/triggers.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/triggers.ts";

/** RT-2: the phrases by which an admin wants a skill found. */
export function mountTriggers(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/triggers", summary: "All of them.", answer: schemas.triggerList, perGeneration: true },
    ({ person }) => listSkillTriggers(api.as(person)),
  );
  operations.post(
    {
      path: "/api/skills/{entry}/triggers",
      summary: "Set more phrases for a skill.",
      tag: "triggers",
      asked: schemas.phrasesAsked,
      answer: schemas.triggers,
    },
    ({ person, entry }, { phrases }) => addSkillTriggers(api.as(person), entry, phrases),
  );
  operations.delete(
    {
      path: "/api/skills/{entry}/triggers",
      summary: "Take one away, or all of them.",
      tag: "triggers",
      query: schemas.phraseQuery,
      answer: schemas.triggers,
    },
    ({ person, entry, query: { phrase } }) =>
      removeSkillTriggers(api.as(person), entry, phrase === undefined ? [] : [phrase]),
  );
}
