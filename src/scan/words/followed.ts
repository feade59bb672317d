import type { Hit, Matcher } from "../rule.ts";
import type { ScanText } from "../text.ts";
import { isOfVendor } from "./variables.ts";

/** Something that is worth stealing, where a program takes hold of it. */
export interface Source {
  readonly takes: Matcher;
  /** Words of which one is in the hosts that it is meant for. */
  readonly vendor?: readonly string[];
  /** One entry of it is used everywhere; only all of it together is worth something. */
  readonly isWhole?: boolean;
}

const reach = 3000;
const mostSources = 12;
const mostNames = 16;
const longestCall = 320;

/**
 * Where something that a program takes is in a call to the network: in the call itself, through a pipe, or under the
 * name of a variable or file that it was put into, also over several steps. A key in the header of a request is used,
 * not sent away. Bounded by the constants above (T26).
 */
export function followed(sources: readonly Source[], calls: Matcher): Matcher {
  return {
    patterns: [...sources.flatMap(({ takes }) => takes.patterns), ...calls.patterns],
    find: (text) => {
      const found = calls.find(text);
      if (found.length === 0) return [];
      const taken = sources.map((source) => ({ source, hits: source.takes.find(text).slice(0, mostSources) }));
      if (taken.every(({ hits }) => hits.length === 0)) return [];
      const sent = found.map(({ start, end }) => ({ start, end: callEnd(text.lower, { start, end }) }));
      return taken
        .flatMap(({ source, hits }) => hits.flatMap((hit) => follow(text, source, hit, sent)))
        .toSorted((a, b) => a.start - b.start);
    },
  };
}

function callEnd(lower: string, { start, end }: Hit): number {
  const stop = lower.slice(end, start + longestCall).search(/\n\s{0,8}\n|\n\s{0,8}(?:```|#)|;\s{0,4}\n/);
  return stop === -1 ? Math.max(end, start + longestCall) : end + stop;
}

function follow(text: ScanText, source: Source, hit: Hit, calls: readonly Hit[]): Hit[] {
  const { lower } = text;
  const from = lower.lastIndexOf("\n", hit.start) + 1;
  const limit = Math.min(lower.length, from + reach);
  const near = calls.filter(({ start }) => start >= from - longestCall && start < limit);
  text.steps += near.length > 0 ? reach : 0;
  const own = lineAt(lower, from);
  if (source.isWhole === true && selects.test(own)) return [];
  const direct = near.find((call) => isDirect(lower, hit, call));
  if (direct !== undefined && !isMeantFor(lower, direct, source))
    return [{ start: Math.min(hit.start, direct.start), end: Math.max(hit.end, direct.start + 1) }];
  const names = new Set([...targetsOf(own), ...targetAbove(lower, from)]);
  const later = near.find(({ start }) => start > hit.end && start < from + own.length);
  if (later !== undefined && !isMeantFor(lower, later, source)) {
    if (holdsAny(lower.slice(later.start, later.end), names, source)) return [{ start: hit.start, end: later.end }];
  }
  for (let at = from + own.length + 1; at < limit; ) {
    const line = lineAt(lower, at);
    const call = near.find(({ start }) => start >= at && start < at + line.length + 1);
    if (call !== undefined && !isMeantFor(lower, call, source)) {
      if (holdsAny(lower.slice(at, Math.max(call.end, at + line.length)), names, source))
        return [{ start: hit.start, end: call.end }];
    }
    if (names.size < mostNames && holdsAny(line, names, source)) for (const name of targetsOf(line)) names.add(name);
    at += line.length + 1;
  }
  return [];
}

function lineAt(lower: string, at: number): string {
  const end = lower.indexOf("\n", at);
  return lower.slice(at, Math.min(end === -1 ? lower.length : end, at + 600));
}

/** In the call's own words, or through a pipe into it. */
function isDirect(lower: string, hit: Hit, call: Hit): boolean {
  if (call.start <= hit.start) return hit.start < call.end && !isUsed(lower, Math.max(call.start, hit.start - 80), hit);
  const between = lower.slice(hit.end, call.start);
  return between.length < 240 && /^[^\n;]{0,160}(?:\||-exec\b)[^\n;]{0,80}$/.test(between);
}

/** As the password of a request, or as the key of a connection. */
const uses =
  /(?:authorization|bearer|\bbasic|\bx-[a-z-]{2,24}|\bauth|--user|--cert|--key|--cacert|--cookie|--netrc-file|identity_?file|headers?)\b[^,;\n]{0,40}$|\s-[iub]\s[^,;\s]{0,24}$/;

function isUsed(lower: string, from: number, { start, end }: Hit): boolean {
  return uses.test(lower.slice(from, start)) || /\s-i\s|--cert|--netrc/.test(lower.slice(start, end));
}

/** It picks one entry. */
const selects = /\bsplit\(|startswith|\bgrep\b|\bcut\b|\bsed\b|\bawk\b|\.get\(|\bgetenv|\.match\(|\.find\(|\bxargs\b/;

function isMeantFor(lower: string, { start, end }: Hit, { vendor = [] }: Source): boolean {
  const call = lower.slice(start, end);
  const hosts = Array.from(call.matchAll(/(?:https?:\/\/|@)([a-z0-9.-]{2,100})/g), (found) => found[1] ?? "");
  if (hosts.length === 0) return false;
  return (
    hosts.every((host) => /^(?:localhost|127\.|0\.0\.0\.0)/.test(host)) ||
    hosts.some((host) => isOfVendor(host, vendor))
  );
}

const target = new RegExp(
  [
    String.raw`^[\s@-]{0,24}(?:export\s|local\s|readonly\s|const\s|let\s|var\s|my\s|declare\s-\w\s)?(\$?[a-z_][\w]{0,40})(?:,\s?\w{1,20})?\s{0,4}(?::\s?[\w[\]., |]{1,40})?(?::=|[+|]=|<<|=)(?!=|>)`,
    String.raw`(?:^|[;{]\s?)\s{0,24}for\s\(?(?:const\s|let\s|var\s)?\[?([a-z_]\w{0,40})\b[^\n]{0,40}?\s(?:in|of)\s`,
    String.raw`\|([a-z_]\w{0,20})\|`,
    String.raw`^[\s-]{0,40}([a-z_]\w{0,40}):\s?["']?\$\{\{`,
    String.raw`\bas\s([a-z_]\w{0,40}):`,
    String.raw`>{1,2}\s?["']?([^\s"'&;|>()]{2,120})`,
    String.raw`\b(?:tar|zip|7z|gpg|openssl)\b[^\n]{0,80}?\s["']?([^\s"'&;|]{0,100}\.(?:tgz|tar|gz|zip|7z|enc|gpg|bz2|xz|bin|dat)\b)`,
    String.raw`\b(?:tar)\s-?[a-z]{1,6}f\s["']?([^\s"'&;|]{2,100})`,
    String.raw`\b(?:cp|mv|copy2?|copyfile|copytree)\b[^\n]{1,160}?[\s,]["']?([^\s"'&;|,)]{1,100})["')]{0,3}\s{0,2}(?:$|[;&|])`,
    String.raw`\b([a-z_]\w{0,40})\.(?:append|push|update|extend|add|write\w{0,8}|set|put|concat|insert|writestr)\(`,
    String.raw`\b([a-z_]\w{0,40})\[[^\]\n]{0,60}\]\s?=(?!=)`,
    String.raw`\b(?:def|function|func)\s([a-z_]\w{0,40})\s?\(`,
    String.raw`\b(?:write_?file|writefilesync|write_text|write_bytes|binwrite)\(\s?["']?([^\s"',)]{2,100})`,
  ].join("|"),
  "g",
);

/** The names under which a line keeps what is in it. */
function targetsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(target), (match) => plain(match.slice(1).find((part) => part !== undefined) ?? ""))
    .filter((name) => name.length > 0 && !ordinary.has(name))
    .slice(0, 6);
}

const ordinary = new Set("null true false self this if else return environ".split(" "));

function plain(name: string): string {
  const last = name.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return last.replace(/^[$"'`{(]{1,3}|["'`}),;]{1,3}$/g, "");
}

/** A list or object over several lines, or the body of a function: the name stands above. */
function targetAbove(lower: string, from: number): readonly string[] {
  const above = lower
    .slice(Math.max(0, from - 500), from)
    .split("\n")
    .slice(0, -1);
  for (const line of above.slice(-8).toReversed()) {
    if (line.trim() === "" || /^\s{0,8}```/.test(line)) return [];
    if (!/[[{(:]\s{0,4}$/.test(line)) continue;
    const names = targetsOf(line);
    if (names.length > 0) return names;
  }
  return [];
}

/** Whether one of the names is in a stretch, as something that is handed on. */
function holdsAny(stretch: string, names: ReadonlySet<string>, source: Source): boolean {
  for (const name of names) {
    for (let at = stretch.indexOf(name); at !== -1; at = stretch.indexOf(name, at + name.length)) {
      const [before, after] = [
        stretch.slice(Math.max(0, at - 80), at),
        stretch.slice(at + name.length, at + name.length + 16),
      ];
      if (/[\w.-]$/.test(before) || /^[\w]/.test(after) || uses.test(before)) continue;
      if (name.length < 3 && !/[$@{([,:=\s/]$/.test(before)) continue;
      // The name of a field or of an argument.
      if (/^["']?\s{0,2}:\s|^=(?!=)/.test(after) && !/\$\{?$/.test(before)) continue;
      if (source.isWhole === true && (isEntry.test(after) || selects.test(lineOf(stretch, at)))) continue;
      return true;
    }
  }
  return false;
}

function lineOf(stretch: string, at: number): string {
  return stretch.slice(stretch.lastIndexOf("\n", at) + 1, at + 120).split("\n", 1)[0] ?? "";
}

/** One entry of an object: `config.api_key`, `config["API_KEY"]`. */
const isEntry =
  /^(?:\.(?!items|entries|values|to_|tostring|decode|encode|text|read|strip|trim|join|content|map|filter|copy|hex|buffer|slice|env\b|local|json|zip|tar|gz|txt|tgz|enc)[a-z_]|\[["']|\[\w{1,40}\])/;
