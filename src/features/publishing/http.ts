import { listPublished, publishSkill, showPublished, unpublishSkill } from "./flow.ts";
import type { PublicShelf } from "./public-shelf.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import * as schemas from "./schema.ts";

/** SV-6: what anybody may fetch below `/.well-known/agent-skills`, skill by skill. */
export function mountPublished(routes: ApiRoutes, shelf: Pick<PublicShelf, "look">): void {
  // Without a tag: what a hand in the database does makes no generation. It is said of what readers are given now: every
  // byte of it was verified when that was made, which is once, however many ask.
  routes.get(
    { path: "/api/published", summary: "What is switched on for publishing.", answer: schemas.publishedLines },
    ({ app }) => listPublished(app, shelf),
  );
  routes.get(
    {
      path: "/api/skills/{entry}/published",
      summary: "Whether a skill is switched on, and whether anybody can fetch anything.",
      tag: "published",
      answer: schemas.publishedView,
    },
    ({ app, entry }) => showPublished(app, entry, shelf),
  );
  routes.put(
    {
      path: "/api/skills/{entry}/published",
      summary: "Switch a skill on: anybody may fetch what is approved of it.",
      tag: "published",
      answer: schemas.publishedLine,
    },
    ({ app, entry }) => publishSkill(app, entry, shelf),
  );
  routes.delete(
    {
      path: "/api/skills/{entry}/published",
      summary: "Switch it off again.",
      tag: "published",
      answer: schemas.unpublished,
    },
    ({ app, entry }) => unpublishSkill(app, entry),
  );
}
