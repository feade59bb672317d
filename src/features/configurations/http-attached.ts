import { attachSkill, detachSkill, showAttached } from "./attach.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { attachedTo, attachedView } from "./schema-attached.ts";

interface Carrier {
  /** Of one of them, with `{id}`. */
  readonly path: string;
  readonly kind: "config" | "task";
}

/** RV-14, T35: the skills on a configuration or a task, and what all of them can reach for together. */
export function mountAttached(routes: ApiRoutes, { path, kind }: Carrier): void {
  routes.get(
    {
      path: `${path}/attached`,
      summary: "The skills on it, in order; what cannot be used is there with its reason.",
      answer: attachedView,
      perGeneration: true,
    },
    ({ app, id }) => showAttached(app, `${kind}:${id}`),
  );
  routes.put(
    {
      path: `${path}/attached/{entry}`,
      summary: "Put an approved skill on it, behind the others.",
      answer: attachedTo,
    },
    ({ app, id, entry }) => attachSkill(app, `${kind}:${id}`, entry),
  );
  routes.delete(
    { path: `${path}/attached/{entry}`, summary: "Take it off, whatever became of it.", answer: attachedTo },
    ({ app, id, entry }) => detachSkill(app, `${kind}:${id}`, entry),
  );
}
