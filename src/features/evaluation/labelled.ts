import { fieldsOf } from "../../core/json/json.ts";
import type { Files } from "../../core/world.ts";
import { LineFault, readJsonLines, refusedFile } from "../../app/files/json-lines-file.ts";

/** One text whose nature is known. */
export interface LabelledText {
  readonly id: string;
  readonly set: string;
  readonly label: "malicious" | "benign";
  readonly text: string;
}

/** The set of a line that names none. */
const unnamed = "unnamed";

const mostSets = 200;

/** The texts of a labelled set, one at a time. What is no such line is refused by its number: nothing is left out. */
export async function* readLabelled(files: Files, path: string): AsyncGenerator<LabelledText> {
  const [ids, sets] = [new Set<string>(), new Set<string>()];
  const parse = (value: unknown) => {
    const text = textOf(value);
    if (ids.has(text.id)) throw new LineFault("an id that was there before");
    ids.add(text.id);
    if (sets.add(text.set).size > mostSets) throw new LineFault(`more than ${mostSets} sets`);
    return text;
  };
  for await (const { value } of readJsonLines(files, path, parse)) yield value;
  if (ids.size === 0) throw refusedFile(path, "has no texts in it: nothing would be measured");
}

function textOf(value: unknown): LabelledText {
  const fields = fieldsOf(value);
  if (fields === undefined) throw new LineFault("expected { id, label, text }");
  const [id, set = unnamed, label, text] = ["id", "set", "label", "text"].map((key) => fields.get(key));
  if (typeof id !== "string" || id === "" || id.length > 256) throw new LineFault("id: expected 1 to 256 characters");
  if (typeof set !== "string" || !/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(set))
    throw new LineFault("set: expected at most 64 letters, digits, dots and hyphens");
  if (label !== "malicious" && label !== "benign") throw new LineFault("label: expected malicious or benign");
  if (typeof text !== "string") throw new LineFault("text: expected a text");
  return { id, set, label, text };
}
