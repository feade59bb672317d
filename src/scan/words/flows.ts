import type { Hit, Matcher } from "../rule.ts";

/**
 * Where what one pattern names is what the other one uses, at most `reach` characters behind it: a file that is fetched
 * and then run, a variable that is filled and then evaluated. The first group of each that took part is the name.
 * `words` as in `seen`.
 */
export function flows(
  fills: readonly string[],
  uses: readonly string[],
  reach: number,
  ...words: readonly string[]
): Matcher {
  const [sources, sinks] = [fills.map(everywhere), uses.map(everywhere)];
  return {
    patterns: [...sources, ...sinks],
    find: (text) => {
      if (!text.hasAny(words)) return [];
      const filled = named(sources, text.lower);
      text.steps += text.lower.length * sources.length;
      if (filled.length === 0) return [];
      const used = named(sinks, text.lower);
      text.steps += text.lower.length * sinks.length;
      return pairs(filled, used, reach);
    },
  };
}

interface Named extends Hit {
  readonly name: string;
}

function everywhere(source: string): RegExp {
  return new RegExp(source, "g");
}

function named(patterns: readonly RegExp[], lower: string): Named[] {
  const found = patterns.flatMap((pattern) =>
    Array.from(lower.matchAll(pattern), (match) => {
      const group = match.slice(1).find((part) => part !== undefined && part !== "") ?? "";
      return { start: match.index, end: match.index + match[0].length, name: plain(group) };
    }),
  );
  return found.filter(({ name }) => name !== "").toSorted((a, b) => a.start - b.start);
}

/** `"./tools/setup.sh"` and `setup.sh` are one file, `$cmd` and `${cmd}` one variable. */
function plain(name: string): string {
  const last = name.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return last.replace(/[?#].{0,300}$/, "").replace(/^[\s"'`$&({.]{1,8}|["'`)},;]{1,4}$/g, "");
}

function pairs(filled: readonly Named[], used: readonly Named[], reach: number): Hit[] {
  let next = 0;
  return filled.flatMap(({ name, start, end }) => {
    while (next < used.length && (used[next]?.start ?? 0) < start) next++;
    for (let at = next; at < used.length; at++) {
      const use = used[at];
      if (use === undefined || use.start > end + reach) return [];
      if (use.start >= end - 1 && use.name === name) return [{ start, end: use.end }];
    }
    return [];
  });
}
