import { safeName } from "../../../base/text.ts";
import type { Api } from "../api.ts";
import type { Operations } from "../operations.ts";
import { preview, previewAsked } from "../schemas/compositions.ts";

/** CO-7: what a request would be given now, by the functions that compose for requests. */
export function mountCompositions(operations: Operations, api: Api): void {
  operations.post(
    {
      path: "/api/compose",
      summary: "What a request would be given, and what would be left out; nothing is sent or recorded.",
      asked: previewAsked,
      answer: preview,
    },
    ({ person, exchange }, asked) => {
      exchange.notes["configuration"] = safeName(asked.configuration);
      return api.preview(person, { ...asked, signal: exchange.signal });
    },
  );
}
