import { faultOf } from "../ingest/skill/faults.ts";
import { sourceFaultOf } from "../ingest/source/source-faults.ts";
import { reviewFaultOf } from "./review-faults.ts";
import { explanationOf } from "./scan/rules.ts";

/** Why a finding matters and what to do about it (RV-6); undefined for what is not about a bundle or its source. */
export function whyOf(code: string): string | undefined {
  return (explanationOf(code) ?? faultOf(code) ?? sourceFaultOf(code) ?? reviewFaultOf(code))?.why;
}
