import { safeLine } from "../../core/text.ts";
import type { Link } from "../link.ts";
import { type PathTable, pathTableOf, type Reason, strongest } from "../names/path-table.ts";

/** How sure it is that work on a file which fits a pattern wants the skill (RT-3), for a pattern that is specific. */
const sure = { inContext: 0.7, inText: 0.5 };
const mostNames = 32;

/** RT-2: the files that the work is about, and those that the query names, against the patterns that skills declare. */
export const pathsLink: Link = {
  name: "paths",
  role: "finds",
  isExplicit: true,
  timeBox: 5000,
  prepare: (shelf) => pathTableOf.prepare(shelf),
  find(asked) {
    const { query, shelf } = asked;
    const table = pathTableOf.of(shelf);
    const inContext = reasonsOf(table, query.paths, sure.inContext, "");
    return strongest(
      [...inContext, ...reasonsOf(table, filesIn(query.text, table), sure.inText, ", in the text")],
      asked,
    );
  },
};

function reasonsOf(table: PathTable, paths: readonly string[], most: number, where: string): Reason[] {
  return table.rulesFor(paths).flatMap(({ path, rule: { glob, entries } }) => {
    const why = `path pattern "${safeLine(glob.written, 64)}" fits "${safeLine(path, 64)}"${where}`;
    // A type of file alone says a little less than the place and the name of one.
    const confidence = most - 0.2 / (1 + glob.literals);
    return entries.map((entry) => ({ entry, confidence, why }));
  });
}

const between = /[\s"'`“”‘’«»()<>[\]{},;|]+/u;
/** What names a file: a type at its end, a folder before it, or a dot that it begins with. */
const looksLikeFile = /\.[a-z0-9_]{1,12}$|^[^/]+\/[^/]|^\.[a-z]/i;
/** Named like files and are none. */
const products =
  /^(?:node|next|nuxt|vue|three|d3|react|express|chart|ember|backbone|nest|alpine|discord|socket)\.js$|\.(?:net|com|org|io|dev|ai)$/i;

/** Files that a text names. Time grows with its length. */
function filesIn(text: string, { plainNames }: PathTable): readonly string[] {
  const files = new Set<string>();
  for (const word of text.split(between)) {
    const name = word.replace(/[.:!?]{1,8}$/, "").replaceAll("\\", "/");
    if (files.size >= mostNames) break;
    if (name.includes("://") || products.test(name)) continue;
    if (plainNames.has(name.toLowerCase()) || looksLikeFile.test(name)) files.add(name);
  }
  return [...files];
}
