import { listPublished, publishSkill, showPublished, unpublishSkill } from "../../../app/published.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import * as schemas from "../schemas/published.ts";

/** SV-6: what anybody may fetch below `/.well-known/agent-skills`, skill by skill. */
export function mountPublished(operations: Operations, api: Api): void {
  // Without a tag: what a hand in the database does makes no generation. It is said of what readers are given now: every
  // byte of it was verified when that was made, which is once, however many ask.
  operations.get(
    { path: "/api/published", summary: "What is switched on for publishing.", answer: schemas.publishedLines },
    ({ person }) => listPublished(api.as(person), api.shelf),
  );
  operations.get(
    {
      path: "/api/skills/{entry}/published",
      summary: "Whether a skill is switched on, and whether anybody can fetch anything.",
      tag: "published",
      answer: schemas.publishedView,
    },
    ({ person, entry }) => showPublished(api.as(person), entry, api.shelf),
  );
  operations.put(
    {
      path: "/api/skills/{entry}/published",
      summary: "Switch a skill on: anybody may fetch what is approved of it.",
      tag: "published",
      answer: schemas.publishedLine,
    },
    ({ person, entry }) => publishSkill(api.as(person), entry, api.shelf),
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
