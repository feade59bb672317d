import { safeName } from "../../core/text.ts";
import type { Serving } from "../serving.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { preview, previewAsked } from "./schema.ts";

/** CO-7: what a request would be given now, by the functions that compose for requests. */
export function mountCompositions(routes: ApiRoutes, previewOf: Serving["preview"]): void {
  routes.post(
    {
      path: "/api/compose",
      summary: "What a request would be given, and what would be left out; nothing is sent or recorded.",
      asked: previewAsked,
      answer: preview,
    },
    ({ person, signal, notes }, asked) => {
      notes["configuration"] = safeName(asked.configuration);
      return previewOf(person, { ...asked, signal });
    },
  );
}
