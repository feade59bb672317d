import { diagnoseNode } from "../../../app/doctor/doctor.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { diagnosis, doctorQuery } from "../schemas/doctor.ts";

/** SV-10: what this node stands on, and what to do about it. For admins: it names files of the machine. */
export function mountDoctor(operations: Operations, api: Api): void {
  operations.get(
    { path: "/api/doctor", summary: "What this node stands on.", query: doctorQuery, answer: diagnosis },
    ({ person, query }) => diagnoseNode(api.as(person), query),
  );
}
