import type { Files, FilesToWrite } from "../../core/world.ts";
import { AppError } from "../../core/error.ts";
import { renderSchemas } from "../../skill/schema.ts";

export interface SchemaDrift {
  readonly file: string;
  /** `stale`: a schema nobody generates any more. */
  readonly state: "missing" | "stale" | "different";
}

const schemaFile = /\.schema\.json$/;
const mostFiles = 1000;
const mostBytes = 1024 * 1024;

/** What in a folder is not what the models generate (SK-14). Changes nothing. */
export async function checkSchemas(files: Files, folder: string): Promise<SchemaDrift[]> {
  const wanted = renderSchemas();
  const present = await schemaFilesIn(files, folder);
  const drift: SchemaDrift[] = [];
  for (const [file, text] of wanted) {
    if (!present.includes(file)) drift.push({ file, state: "missing" });
    else if ((await readText(files, `${folder}/${file}`)) !== text) drift.push({ file, state: "different" });
  }
  const stale = present.filter((file) => !wanted.has(file));
  return [...drift, ...stale.map((file) => ({ file, state: "stale" as const }))];
}

/** Writes what is missing or different. A stale file is named, never deleted: it may be somebody's own. */
export async function writeSchemas(files: Files & FilesToWrite, folder: string): Promise<SchemaDrift[]> {
  const drift = await checkSchemas(files, folder);
  const wanted = renderSchemas();
  for (const { file } of drift) {
    const text = wanted.get(file);
    if (text !== undefined) await files.write(`${folder}/${file}`, Buffer.from(text));
  }
  return drift;
}

async function schemaFilesIn(files: Files, folder: string): Promise<string[]> {
  try {
    const { entries } = await files.list(folder, mostFiles);
    return entries.filter(({ name, kind }) => kind === "file" && schemaFile.test(name)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof AppError && error.code === "path.missing") return [];
    throw error;
  }
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path, mostBytes);
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("utf8") : undefined;
}
