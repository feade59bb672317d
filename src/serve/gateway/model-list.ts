import type { Speech } from "./routes.ts";

/** The models a client can ask for, as its protocol lists them. */
export function renderModels(speech: Speech, ids: readonly string[]): object {
  if (speech === "openai") return { object: "list", data: ids.map((id) => renderModel(speech, id)) };
  const [first = null, last = null] = [ids[0], ids.at(-1)];
  return { data: ids.map((id) => renderModel(speech, id)), has_more: false, first_id: first, last_id: last };
}

/** When a configuration was made is nobody's business; the fields have to be there. */
export function renderModel(speech: Speech, id: string): object {
  if (speech === "openai") return { id, object: "model", created: 0, owned_by: "skillward" };
  return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
}
