import { attachSkill, detachSkill, showAttached } from "../../../app/attach.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { attachedTo, attachedView } from "../schemas/attached.ts";

interface Carrier {
  /** Of one of them, with `{id}`. */
  readonly path: string;
  readonly kind: "config" | "task";
}

/** RV-14, T35: the skills on a configuration or a task, and what all of them can reach for together. */
export function mountAttached(operations: Operations, api: Api, { path, kind }: Carrier): void {
  operations.get(
    {
      path: `${path}/attached`,
      summary: "The skills on it, in order; what cannot be used is there with its reason.",
      answer: attachedView,
      perGeneration: true,
    },
    ({ person, id }) => showAttached(api.as(person), `${kind}:${id}`),
  );
  operations.put(
    {
      path: `${path}/attached/{entry}`,
      summary: "Put an approved skill on it, behind the others.",
      answer: attachedTo,
    },
    ({ person, id, entry }) => attachSkill(api.as(person), `${kind}:${id}`, entry),
  );
  operations.delete(
    { path: `${path}/attached/{entry}`, summary: "Take it off, whatever became of it.", answer: attachedTo },
    ({ person, id, entry }) => detachSkill(api.as(person), `${kind}:${id}`, entry),
  );
}
