import { listPublished, publishSkill, unpublishSkill } from "../../../app/published.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/published.ts";

/** SV-6: what anybody may fetch below `/.well-known/agent-skills`, skill by skill. */
export function mountPublished(operations: Operations, api: Api): void {
  // Without a tag: every byte is verified for it, and what a hand in the database does makes no generation.
  operations.get(
    { path: "/api/published", summary: "What is switched on for publishing.", answer: schemas.publishedLines },
    ({ person }) => listPublished(api.as(person)),
  );
  operations.put(
    {
      path: "/api/skills/{entry}/published",
      summary: "Switch a skill on: anybody may fetch what is approved of it.",
      tag: "published",
      answer: schemas.publishedLine,
    },
    ({ person, entry }) => publishSkill(api.as(person), entry),
  );
  operations.delete(
    {
      path: "/api/skills/{entry}/published",
      summary: "Switch it off again.",
      tag: "published",
      answer: schemas.unpublished,
    },
    ({ person, entry }) => unpublishSkill(api.as(person), entry),
  );
}
