import { diagnoseNode } from "./doctor/doctor.ts";
import { oneAtATime } from "../http/concurrency-limit.ts";
import type { ApiRoutes } from "../http/api-routes.ts";
import { diagnosis, doctorQuery } from "./schema.ts";

/** SV-10: what this node stands on, and what to do about it. For admins: it names files of the machine, and asks others (T41). */
export function mountDoctor(routes: ApiRoutes): void {
  const alone = oneAtATime("a diagnosis");
  routes.get(
    {
      path: "/api/doctor",
      summary: "What this node stands on; one at a time on each node.",
      query: doctorQuery,
      answer: diagnosis,
    },
    ({ app, query }) => alone(() => diagnoseNode(app, query)),
  );
}
