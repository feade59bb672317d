/**
 * Why a pattern could take more than a fixed number of steps at one place of a text; undefined when it cannot (T26).
 * Every repetition must have an upper bound, none may stand in another one, and the bounds multiplied must stay small:
 * then the work over a text is at most a constant times its length. For tests: rules are checked, texts are not.
 */
export function whyNotLinear({ source }: RegExp): string | undefined {
  if (/\\[1-9]/.test(source)) return "it refers back to a group";
  const counted: number[][] = [[]];
  let product = 1;
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at++;
    else if (char === "[") at = endOfClass(source, at);
    else if (char === "(") counted.push([]);
    const closed = char === ")" ? (counted.pop() ?? []) : [];
    const times = repetitionAt(source, at + 1);
    if (times === undefined) {
      counted.at(-1)?.push(...closed);
      continue;
    }
    if (times.most === Number.POSITIVE_INFINITY) return `"${source.slice(at, times.end)}" has no upper bound`;
    if (times.most > 1 && closed.some((inner) => inner > 1)) return "a repetition stands in a repetition";
    counted.at(-1)?.push(times.most, ...closed);
    if (times.most > 1 && times.most !== times.least) product *= times.most;
    at = times.end - 1;
  }
  return product > mostSteps ? `its repetitions multiply to ${product}` : undefined;
}

const mostSteps = 2_000_000;

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source.charAt(at) === "\\") at++;
    else if (source.charAt(at) === "]") return at;
  }
  return source.length;
}

function repetitionAt(
  source: string,
  at: number,
): { readonly least: number; readonly most: number; readonly end: number } | undefined {
  const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 16));
  if (found === null || found[0].startsWith("?:")) return undefined;
  const end = at + found[0].length;
  if (found[0].startsWith("?")) return { least: 0, most: 1, end };
  if (/^[*+]/.test(found[0])) return { least: 0, most: Number.POSITIVE_INFINITY, end };
  const least = Number(found[1]);
  const most = found[2] === "" ? least : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
  return { least, most, end };
}
