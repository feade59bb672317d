import { diagnoseNode } from "../../../app/doctor/doctor.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { diagnosis, doctorQuery } from "../schemas/doctor.ts";

/** SV-10: what this node stands on, and what to do about it. For admins: it names files of the machine, and asks others (T41). */
export function mountDoctor(operations: Operations, api: Api): void {
  const alone = oneAtATime("a diagnosis");
  operations.get(
    {
      path: "/api/doctor",
      summary: "What this node stands on; one at a time on each node.",
      query: doctorQuery,
      answer: diagnosis,
    },
    ({ person, query }) => alone(() => diagnoseNode(api.as(person), query)),
  );
}
