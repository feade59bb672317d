import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Skills of a pool, as documents of the index; of a repeated id the first counts. */
export async function readPool(file) {
  const documents = new Map();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const record = JSON.parse(line);
    if (!documents.has(record.id)) documents.set(record.id, documentOf(record));
  }
  return [...documents.values()];
}

function documentOf({ id, name, description, body, triggers = [] }) {
  return {
    id,
    digest: createHash("sha256").update(id).digest("hex"),
    name,
    description,
    body,
    declared: { kind: "tool", triggers: [triggers].flat(), aliases: [], paths: [] },
  };
}

export function readLines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}
